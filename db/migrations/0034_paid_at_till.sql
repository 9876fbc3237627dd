-- expand
ALTER TABLE "bills" ADD COLUMN "paid_at_till" jsonb DEFAULT '[]'::jsonb NOT NULL;

GRANT UPDATE (paid_at_till) ON bills TO loyalty_app;
