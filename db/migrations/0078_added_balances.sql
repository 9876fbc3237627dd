-- expand
ALTER TABLE "customer_imports" ADD COLUMN "added_count" integer DEFAULT 0 NOT NULL;
GRANT UPDATE (added_count) ON customer_imports TO loyalty_app;
