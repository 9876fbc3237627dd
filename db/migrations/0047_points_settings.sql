-- expand
ALTER TABLE "merchants" ADD COLUMN "refuses_owing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "no_points_plus" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "no_points_category_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
GRANT UPDATE (refuses_owing, no_points_plus, no_points_category_ids) ON merchants TO loyalty_app;
