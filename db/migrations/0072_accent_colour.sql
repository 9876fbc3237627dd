-- expand
ALTER TABLE "merchants" ADD COLUMN "accent_colour" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "welcome" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_accent_colour" CHECK ("merchants"."accent_colour" ~ '^#[0-9a-f]{6}$') NOT VALID;--> statement-breakpoint
GRANT UPDATE (accent_colour, welcome) ON merchants TO loyalty_app;
