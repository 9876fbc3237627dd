-- expand
ALTER TABLE "menu_categories" ADD COLUMN "station" text DEFAULT '' NOT NULL;--> statement-breakpoint
GRANT UPDATE (station) ON menu_categories TO loyalty_app;
