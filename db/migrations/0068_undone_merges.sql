-- expand
ALTER TABLE "customers" ADD COLUMN "merge_undo" jsonb;
