CREATE TABLE "api_key_days" (
	"merchant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"day" date NOT NULL,
	"points" bigint NOT NULL,
	"value" bigint NOT NULL,
	"points_limit" bigint,
	"value_limit" bigint,
	CONSTRAINT "api_key_days_merchant_id_api_key_id_day_pk" PRIMARY KEY("merchant_id","api_key_id","day"),
	CONSTRAINT "api_key_days_points" CHECK ("api_key_days"."points" <= "api_key_days"."points_limit"),
	CONSTRAINT "api_key_days_value" CHECK ("api_key_days"."value" <= "api_key_days"."value_limit")
);
--> statement-breakpoint
ALTER TABLE "api_key_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "gained_on" date;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "gained_points" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "gained_value" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "earning_sale_limit" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "customer_daily_points" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "customer_daily_value" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "key_daily_points" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "key_daily_value" bigint;--> statement-breakpoint
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_merchant_id_api_key_id_api_keys_merchant_id_id_fk" FOREIGN KEY ("merchant_id","api_key_id") REFERENCES "public"."api_keys"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_daily_limits" CHECK (least("merchants"."earning_sale_limit", "merchants"."customer_daily_points", "merchants"."customer_daily_value", "merchants"."key_daily_points", "merchants"."key_daily_value") > 0);--> statement-breakpoint
CREATE POLICY "tenant" ON "api_key_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
GRANT SELECT, INSERT ON api_key_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (points, value, points_limit, value_limit) ON api_key_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (gained_on, gained_points, gained_value) ON balances TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (earning_sale_limit, customer_daily_points, customer_daily_value, key_daily_points, key_daily_value) ON merchants TO loyalty_app;
--> statement-breakpoint
ALTER TABLE api_key_days SET (fillfactor = 50);
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
  notice_kinds text[], quiet_from text, quiet_until text, rate_per_second integer, rate_burst integer
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit,
      m.earning_sale_limit, m.customer_daily_points, m.customer_daily_value, m.key_daily_points, m.key_daily_value,
      m.earn_points,
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
