-- expand
ALTER TABLE "bills" ADD COLUMN "closed_by" uuid;--> statement-breakpoint
ALTER TABLE "bills" ADD COLUMN "settling_until" timestamp (3) with time zone;--> statement-breakpoint
GRANT UPDATE (closed_by, settling_until) ON bills TO loyalty_app;
