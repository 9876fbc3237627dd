-- The merchants whose customers hold value that has passed its time: the job that writes it off starts from them.
CREATE FUNCTION merchants_with_expired_value(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id FROM merchants m
  WHERE EXISTS (SELECT FROM lots l WHERE l.merchant_id = m.id AND l.open AND l.expires_at <= at)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION merchants_with_expired_value(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION merchants_with_expired_value(timestamptz) TO loyalty_app;
