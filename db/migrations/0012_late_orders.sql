ALTER TABLE "merchants" ADD COLUMN "late_order_minutes" integer DEFAULT 15 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_late_orders" CHECK ("merchants"."late_order_minutes" between 1 and 240);--> statement-breakpoint
-- Owners change it in the settings.
GRANT UPDATE (late_order_minutes) ON merchants TO loyalty_app;
