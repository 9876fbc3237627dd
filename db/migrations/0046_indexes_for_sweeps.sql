DROP INDEX "messages_stranger";--> statement-breakpoint
CREATE INDEX "mails_created_at" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_service_action" ON "audit_log" USING btree ("merchant_id","action","id") WHERE actor_kind = 'service';--> statement-breakpoint
CREATE INDEX "audit_log_diner_action" ON "audit_log" USING btree ("merchant_id","action","id") WHERE actor_kind = 'diner';--> statement-breakpoint
CREATE INDEX "messages_undelivered" ON "messages" USING btree ("merchant_id","created_at") WHERE state = 'queued' and due_at is null;--> statement-breakpoint
CREATE INDEX "orders_status_served" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'served';--> statement-breakpoint
CREATE INDEX "orders_status_cancelled" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'cancelled';--> statement-breakpoint
CREATE INDEX "password_resets_expires_at" ON "password_resets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "throttles_resets_at" ON "throttles" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "messages_stranger" ON "messages" USING btree ("merchant_id","created_at") WHERE phone is not null;