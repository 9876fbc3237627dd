DROP INDEX "messages_state";--> statement-breakpoint
CREATE INDEX "messages_queued" ON "messages" USING btree ("merchant_id","id") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "messages_sent" ON "messages" USING btree ("merchant_id","id") WHERE state = 'sent';--> statement-breakpoint
CREATE INDEX "messages_delivered" ON "messages" USING btree ("merchant_id","id") WHERE state = 'delivered';--> statement-breakpoint
CREATE INDEX "messages_read" ON "messages" USING btree ("merchant_id","id") WHERE state = 'read';--> statement-breakpoint
CREATE INDEX "messages_failed" ON "messages" USING btree ("merchant_id","id") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "messages_inbox" ON "messages" USING btree ("merchant_id","id") WHERE state = 'inbox';