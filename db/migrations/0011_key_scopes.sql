ALTER TABLE "api_keys" ADD COLUMN "scope" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "networks" "cidr"[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scope" CHECK ("api_keys"."scope" in ('read', 'loyalty', 'ordering', 'all'));--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_networks" CHECK (cardinality("api_keys"."networks") <= 20);--> statement-breakpoint
GRANT UPDATE (scope, networks) ON api_keys TO loyalty_app;
--> statement-breakpoint
DROP FUNCTION authenticate_api_key(bytea);
--> statement-breakpoint
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earning_sale_limit bigint, customer_daily_points bigint,
  customer_daily_value bigint, key_daily_points bigint, key_daily_value bigint,
  earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, backdating_days integer, enrol_on_sale boolean, clock_ahead_seconds integer,
  notice_kinds text[], quiet_from text, quiet_until text, rate_per_second integer, rate_burst integer,
  scope text, networks cidr[]
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit,
      m.earning_sale_limit, m.customer_daily_points, m.customer_daily_value, m.key_daily_points, m.key_daily_value,
      m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.backdating_days, m.enrol_on_sale,
      m.clock_ahead_seconds, m.notice_kinds, m.quiet_from, m.quiet_until, k.rate_per_second, k.rate_burst,
      k.scope, k.networks
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION authenticate_api_key FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION authenticate_api_key TO loyalty_app;
