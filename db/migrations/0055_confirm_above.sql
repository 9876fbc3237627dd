-- expand
ALTER TABLE "merchants" ADD COLUMN "confirm_above" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_confirm_above" CHECK ("merchants"."confirm_above" >= 0) NOT VALID;
--> statement-breakpoint
GRANT UPDATE (confirm_above) ON merchants TO loyalty_app;
