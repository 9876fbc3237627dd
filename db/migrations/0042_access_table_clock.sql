-- The same, with how far its merchant's clock is ahead.
DROP FUNCTION qr_code_by_token(bytea);
--> statement-breakpoint
CREATE FUNCTION qr_code_by_token(hash bytea) RETURNS TABLE (merchant_id uuid, qr_code_id uuid, clock_ahead_seconds integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT q.merchant_id, q.id, m.clock_ahead_seconds FROM qr_codes q JOIN merchants m ON m.id = q.merchant_id
  WHERE q.token_hash = hash
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION qr_code_by_token(bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION qr_code_by_token(bytea) TO loyalty_app;
