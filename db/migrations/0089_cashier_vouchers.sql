-- expand
ALTER TABLE "merchants" ADD COLUMN "cashier_daily_vouchers" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_cashier_vouchers" CHECK ("merchants"."cashier_daily_vouchers" >= 0) NOT VALID;--> statement-breakpoint
GRANT UPDATE (cashier_daily_vouchers) ON merchants TO loyalty_app;
