ALTER TABLE "customers" ADD COLUMN "privacy_accepted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "messages_opted_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "privacy_url" text;--> statement-breakpoint
GRANT UPDATE (privacy_url) ON merchants TO loyalty_app;
