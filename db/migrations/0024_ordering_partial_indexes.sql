DROP INDEX "orders_store_status";--> statement-breakpoint
DROP INDEX "qr_codes_status";--> statement-breakpoint
CREATE INDEX "orders_status_placed" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'placed';--> statement-breakpoint
CREATE INDEX "orders_status_accepted" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'accepted';--> statement-breakpoint
CREATE INDEX "orders_status_ready" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'ready';--> statement-breakpoint
CREATE INDEX "orders_status_done" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status in ('served', 'cancelled');--> statement-breakpoint
CREATE INDEX "qr_codes_settled" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE status = 'invalidated';--> statement-breakpoint
CREATE INDEX "qr_codes_unsettled" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE status <> 'invalidated';