GRANT SELECT, INSERT ON message_templates TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (template_name, body, is_on, updated_at) ON message_templates TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (due_at) ON messages TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (notice_kinds, quiet_from, quiet_until, reminded_through) ON merchants TO loyalty_app;
--> statement-breakpoint
-- The same, with what it takes to know whether a top-up is told of, and when.
DROP FUNCTION authenticate_api_key(bytea);
--> statement-breakpoint
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, enrol_on_sale boolean, clock_ahead_seconds integer,
  notice_kinds text[], quiet_from text, quiet_until text
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.enrol_on_sale,
      m.clock_ahead_seconds, m.notice_kinds, m.quiet_from, m.quiet_until
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION authenticate_api_key(bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION authenticate_api_key(bytea) TO loyalty_app;
--> statement-breakpoint
-- The merchants that have a notice to send at this time of the machine's, each by its own clock.
CREATE FUNCTION merchants_with_due_notices(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id FROM merchants m
  WHERE EXISTS (
    SELECT FROM messages g WHERE g.merchant_id = m.id AND g.state = 'queued' AND g.due_at IS NOT NULL
      AND g.due_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
-- The merchants whose customers are told of what expires soon.
CREATE FUNCTION merchants_that_remind() RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id FROM merchants m WHERE 'value-expiring' = ANY (m.notice_kinds)
$$;
--> statement-breakpoint
-- Who wants no more messages tells the messenger's one number, and so all merchants.
CREATE FUNCTION customers_of_phone(number text) RETURNS TABLE (merchant_id uuid, customer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT c.merchant_id, c.id FROM merchants m JOIN customers c ON c.merchant_id = m.id AND c.phone = number
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION merchants_with_due_notices(timestamptz), merchants_that_remind(), customers_of_phone(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION merchants_with_due_notices(timestamptz), merchants_that_remind(), customers_of_phone(text) TO loyalty_app;
--> statement-breakpoint
-- A code is given up after a day; notices wait for their time.
CREATE OR REPLACE FUNCTION give_up_messages(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE messages g SET state = 'failed', secret = NULL, failure = 'given up after a day',
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND state = 'queued' AND g.due_at IS NULL
    AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
$$;
