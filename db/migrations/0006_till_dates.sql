ALTER TABLE "merchants" ADD COLUMN "backdating_days" integer DEFAULT 31 NOT NULL;
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_backdating" CHECK ("merchants"."backdating_days" between 1 and 31);
--> statement-breakpoint
-- Owners change it in the settings.
GRANT UPDATE (backdating_days) ON merchants TO loyalty_app;
--> statement-breakpoint
-- Tills' requests read it with their key.
DROP FUNCTION authenticate_api_key(bytea);
--> statement-breakpoint
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, backdating_days integer, enrol_on_sale boolean,
  clock_ahead_seconds integer, notice_kinds text[], quiet_from text, quiet_until text, rate_per_second integer, rate_burst integer
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.backdating_days, m.enrol_on_sale,
      m.clock_ahead_seconds, m.notice_kinds, m.quiet_from, m.quiet_until, k.rate_per_second, k.rate_burst
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION authenticate_api_key FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION authenticate_api_key TO loyalty_app;
