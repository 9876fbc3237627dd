-- expand
ALTER TABLE "merchants" ADD COLUMN "day_starts_at" smallint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_day_starts_at" CHECK ("merchants"."day_starts_at" between 0 and 6) NOT VALID;
--> statement-breakpoint
GRANT UPDATE (day_starts_at) ON merchants TO loyalty_app;
