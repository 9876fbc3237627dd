-- expand
ALTER TABLE "qr_codes" ADD COLUMN "opened_by" text DEFAULT 'till' NOT NULL;
--> statement-breakpoint
ALTER TABLE "qr_codes" ADD COLUMN "confirmed_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "qr_codes" ADD CONSTRAINT "qr_codes_opened_by" CHECK ("qr_codes"."opened_by" in ('till', 'diner')) NOT VALID;
--> statement-breakpoint
GRANT UPDATE (confirmed_at) ON qr_codes TO loyalty_app;
