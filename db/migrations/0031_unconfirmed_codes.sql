-- expand, one statement at a time
CREATE INDEX CONCURRENTLY IF NOT EXISTS "qr_codes_unconfirmed" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE opened_by = 'diner' and confirmed_at is null and status = 'active';
--> statement-breakpoint
ALTER TABLE "qr_codes" VALIDATE CONSTRAINT "qr_codes_opened_by";
