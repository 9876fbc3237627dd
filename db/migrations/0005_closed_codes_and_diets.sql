ALTER TABLE "menu_items" ADD COLUMN "diets" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "menu_options" ADD COLUMN "allergens" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "qr_codes" ADD COLUMN "invalidated_by" text;--> statement-breakpoint
GRANT UPDATE (diets) ON menu_items TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (allergens) ON menu_options TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (invalidated_by) ON qr_codes TO loyalty_app;
