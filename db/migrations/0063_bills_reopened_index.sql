-- expand, one statement at a time
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bills_reopened" ON "bills" USING btree ("merchant_id","store_id","id") WHERE reopened_at is not null;
