-- expand, one statement at a time
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_day_starts_at";
--> statement-breakpoint
ALTER TABLE "stores" VALIDATE CONSTRAINT "stores_day_starts_at";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_late" ON "transactions" USING btree ("merchant_id","occurred_at") WHERE created_at - occurred_at > interval '15 minutes';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_voided_bill" ON "transactions" USING btree ("merchant_id","store_id","bill_id") WHERE void_id is not null and bill_id is not null;
