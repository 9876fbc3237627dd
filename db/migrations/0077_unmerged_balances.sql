-- expand
ALTER TABLE "balances" ADD COLUMN "unmerged_at" timestamp (3) with time zone;--> statement-breakpoint
GRANT UPDATE (unmerged_at) ON balances TO loyalty_app;
