ALTER TABLE "merchants" ADD COLUMN "codes_per_hour" integer DEFAULT 200 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "codes_per_day" integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "code_countries" text[];--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_codes" CHECK ("merchants"."codes_per_hour" between 1 and 100000 and "merchants"."codes_per_day" between 1 and 1000000 and cardinality("merchants"."code_countries") > 0);
--> statement-breakpoint
GRANT UPDATE (codes_per_hour, codes_per_day, code_countries) ON merchants TO loyalty_app;
