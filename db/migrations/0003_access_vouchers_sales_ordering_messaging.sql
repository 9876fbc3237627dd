GRANT SELECT ON voucher_campaigns, voucher_campaign_stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued_count) ON voucher_campaigns TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON voucher_counts TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued_count) ON voucher_counts TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON vouchers TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (redeemed_by, redeemed_at, cancelled_at) ON vouchers TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON sales, sale_lines, sale_payments, order_lines TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON qr_codes, orders, messages TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (status, expires_at, invalidated_at) ON qr_codes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (status, updated_at) ON orders TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (state, secret, attempts, provider_id, failure, updated_at) ON messages TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON stock_outs TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (until) ON stock_outs TO loyalty_app;
--> statement-breakpoint
-- A diner's address names no merchant: only the code itself, and only by its token's hash.
CREATE FUNCTION qr_code_by_token(hash bytea) RETURNS TABLE (merchant_id uuid, qr_code_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT q.merchant_id, q.id FROM qr_codes q WHERE q.token_hash = hash
$$;
--> statement-breakpoint
-- A messenger's receipt names no merchant: only the message that it knows, and only forwards.
CREATE FUNCTION record_delivery_receipt(provider text, new_state message_state, reason text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE messages SET state = new_state, failure = reason, updated_at = now()
  WHERE provider_id = provider
    AND (state = 'sent' AND new_state IN ('delivered', 'read', 'failed') OR state = 'delivered' AND new_state = 'read')
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION qr_code_by_token(bytea), record_delivery_receipt(text, message_state, text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION qr_code_by_token(bytea), record_delivery_receipt(text, message_state, text) TO loyalty_app;
--> statement-breakpoint
-- A voucher that a sale issues is written before the sale's transaction, whose answer tells of it.
ALTER TABLE vouchers ALTER CONSTRAINT vouchers_merchant_id_issued_by_transactions_merchant_id_uid_fk DEFERRABLE INITIALLY DEFERRED;
