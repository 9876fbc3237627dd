-- expand, one statement at a time
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "merchants_card_account_id" ON "merchants" USING btree ("card_account_id") WHERE card_account_id is not null;--> statement-breakpoint
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_card_account";
