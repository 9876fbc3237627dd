-- expand
ALTER TABLE "dining_tables" ADD COLUMN "position" integer;--> statement-breakpoint
GRANT UPDATE (position) ON dining_tables TO loyalty_app;
