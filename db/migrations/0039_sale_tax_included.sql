-- expand
ALTER TABLE "sales" ADD COLUMN "tax_included" jsonb DEFAULT '[]'::jsonb NOT NULL;
