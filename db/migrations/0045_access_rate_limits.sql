GRANT UPDATE (rate_per_second, rate_burst) ON api_keys TO loyalty_app;
--> statement-breakpoint
-- Written at every lease, and worth nothing after a crash. Half-empty pages: a bucket's next version lies beside it.
ALTER TABLE rate_buckets SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE rate_buckets SET (fillfactor = 50);
--> statement-breakpoint
-- Which buckets say nothing any more is all that the application sees of them; it takes by the function below.
GRANT SELECT (bucket, full_at), DELETE ON rate_buckets TO loyalty_app;
--> statement-breakpoint
-- Takes up to `wanted` tokens of those that are there by the database's clock, for all instances in turn; `wait_ms` is how
-- long until there is another one.
CREATE FUNCTION take_tokens(bucket_name text, rate double precision, burst integer, wanted integer)
RETURNS TABLE (granted integer, wait_ms integer) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  level double precision;
  since timestamptz;
  at timestamptz;
BEGIN
  LOOP
    SELECT b.tokens, b.refilled_at INTO level, since FROM rate_buckets b WHERE b.bucket = bucket_name FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_buckets VALUES (bucket_name, burst, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING;
  END LOOP;
  -- A clock that was set back fills nothing, and the bucket goes by it from then on.
  at := clock_timestamp();
  level := least(burst, level + rate * greatest(0, extract(epoch FROM at - since)));
  granted := least(wanted, floor(level));
  level := level - granted;
  IF granted > 0 OR since > at THEN
    UPDATE rate_buckets b
    SET tokens = level, refilled_at = at, full_at = at + make_interval(secs => (burst - level) / rate)
    WHERE b.bucket = bucket_name;
  END IF;
  wait_ms := ceil(greatest(0, 1 - level) / rate * 1000);
  RETURN NEXT;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION take_tokens(text, double precision, integer, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION take_tokens(text, double precision, integer, integer) TO loyalty_app;
--> statement-breakpoint
-- The same, with how many requests the key may send.
DROP FUNCTION authenticate_api_key(bytea);
--> statement-breakpoint
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, enrol_on_sale boolean, clock_ahead_seconds integer,
  notice_kinds text[], quiet_from text, quiet_until text, rate_per_second integer, rate_burst integer
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.enrol_on_sale,
      m.clock_ahead_seconds, m.notice_kinds, m.quiet_from, m.quiet_until, k.rate_per_second, k.rate_burst
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION authenticate_api_key(bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION authenticate_api_key(bytea) TO loyalty_app;
