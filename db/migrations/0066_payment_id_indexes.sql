-- expand, one statement at a time
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_payments_payment" ON "bill_payments" USING btree ("payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "top_up_requests_payment" ON "top_up_requests" USING btree ("payment_id") WHERE payment_id is not null;
