-- expand
ALTER TABLE "merchants" ADD COLUMN "returned_value_days" integer;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_returned_value" CHECK ("merchants"."returned_value_days" between 1 and 366) NOT VALID;--> statement-breakpoint
GRANT UPDATE (returned_value_days) ON merchants TO loyalty_app;
