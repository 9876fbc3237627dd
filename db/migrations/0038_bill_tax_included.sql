-- expand
ALTER TABLE "bills" ADD COLUMN "tax_included" jsonb DEFAULT '[]'::jsonb NOT NULL;

GRANT UPDATE (tax_included) ON bills TO loyalty_app;
