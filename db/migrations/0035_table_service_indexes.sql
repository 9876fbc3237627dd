-- expand, one statement at a time
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bills_forgotten" ON "bills" USING btree ("updated_at") WHERE state = 'open' and paid_amount > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_payments_taken_at" ON "bill_payments" USING btree ("merchant_id","taken_at","id") WHERE state = 'taken';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_payments_unsettled" ON "bill_payments" USING btree ("created_at") WHERE not checkout_ended or (state = 'taken' and amount + tip - kept_amount - kept_tip > returned_amount);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "qr_codes_unconfirmed" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE opened_by = 'diner' and confirmed_at is null and status = 'active';
--> statement-breakpoint
ALTER TABLE "qr_codes" VALIDATE CONSTRAINT "qr_codes_opened_by";
