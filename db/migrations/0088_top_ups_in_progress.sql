-- expand, one statement at a time
CREATE INDEX CONCURRENTLY IF NOT EXISTS "top_up_requests_processing" ON "top_up_requests" USING btree ("merchant_id","customer_id") WHERE state = 'open' and processing_since is not null;
