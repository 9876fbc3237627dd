-- expand
ALTER TABLE "merchants" ADD COLUMN "key_daily_sign_ups" integer;--> statement-breakpoint
GRANT UPDATE (key_daily_sign_ups) ON merchants TO loyalty_app;
