-- expand
ALTER TABLE "bills" ADD COLUMN "sent_at" timestamp (3) with time zone;
--> statement-breakpoint
GRANT UPDATE (sent_at) ON bills TO loyalty_app;
