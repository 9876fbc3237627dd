-- expand
ALTER TABLE "orders" ADD COLUMN "guest_id" uuid;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "guest_name" text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- An order that waits for staff gets its number and time when they accept it.
GRANT UPDATE (number, placed_at) ON orders TO loyalty_app;
