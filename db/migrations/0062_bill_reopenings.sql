-- expand
ALTER TABLE "bills" ADD COLUMN "listed_at_till" jsonb;--> statement-breakpoint
ALTER TABLE "bills" ADD COLUMN "reopened_at" timestamp (3) with time zone;
--> statement-breakpoint
GRANT UPDATE (listed_at_till, reopened_at) ON bills TO loyalty_app;
