-- expand
ALTER TABLE "merchants" ADD COLUMN "accent_colour" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "welcome" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_brand" CHECK ("merchants"."accent_colour" ~ '^#[0-9a-f]{6}$' and char_length("merchants"."welcome") between 1 and 120) NOT VALID;--> statement-breakpoint
GRANT UPDATE (accent_colour, welcome) ON merchants TO loyalty_app;
