-- expand
ALTER TABLE "customer_imports" ADD COLUMN "source" jsonb;
GRANT UPDATE (source) ON customer_imports TO loyalty_app;
