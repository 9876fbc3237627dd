DROP INDEX "lots_open_bonus";--> statement-breakpoint
CREATE INDEX "lots_expiring" ON "lots" USING btree ("merchant_id","expires_at") WHERE open and expires_at is not null;