-- expand
ALTER TABLE "ordering_settings" ADD COLUMN "take_back_minutes" smallint DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "ordering_settings" ADD CONSTRAINT "ordering_settings_take_back" CHECK ("ordering_settings"."take_back_minutes" between 0 and 60) NOT VALID;--> statement-breakpoint
GRANT UPDATE (take_back_minutes) ON ordering_settings TO loyalty_app;
