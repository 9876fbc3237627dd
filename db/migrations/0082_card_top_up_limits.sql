-- expand
ALTER TABLE "merchants" ADD COLUMN "new_customer_daily_value" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_new_customers" CHECK ("merchants"."new_customer_daily_value" > 0) NOT VALID;--> statement-breakpoint
GRANT UPDATE (new_customer_daily_value) ON merchants TO loyalty_app;
