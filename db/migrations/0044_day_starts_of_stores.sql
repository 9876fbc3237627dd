-- expand
ALTER TABLE "stores" ADD COLUMN "day_starts_at" smallint;
--> statement-breakpoint
ALTER TABLE "stores" ADD CONSTRAINT "stores_day_starts_at" CHECK ("stores"."day_starts_at" between 0 and 6) NOT VALID;
--> statement-breakpoint
GRANT UPDATE (day_starts_at) ON stores TO loyalty_app;
