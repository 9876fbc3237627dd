-- expand
ALTER TABLE "orders" ADD COLUMN "guest_id" uuid;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "guest_name" text DEFAULT '' NOT NULL;
