-- expand
ALTER TABLE "sales" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "points_taken" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
GRANT UPDATE (refunded, points_taken) ON sales TO loyalty_app;
