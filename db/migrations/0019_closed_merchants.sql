ALTER TABLE "merchants" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
-- As before, and no key of a closed merchant is found.
CREATE OR REPLACE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
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
    JOIN merchants m ON m.id = k.merchant_id AND m.closed_at IS NULL
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
-- As before, without memberships of closed merchants.
CREATE OR REPLACE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz) RETURNS TABLE (
  session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role,
  all_stores boolean, store_ids uuid[], confirmed_at timestamptz, second_factor_from timestamptz
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE staff_sessions s SET last_seen_at = at
  WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.last_seen_at < seen_before AND s.expires_at > at
    AND s.confirmed_at IS NOT NULL;
  RETURN QUERY
    SELECT s.id, u.id, u.name, u.email, m.id, m.name, p.role, p.all_stores,
      ARRAY(SELECT t.store_id FROM membership_stores t WHERE t.merchant_id = p.merchant_id AND t.user_id = p.user_id),
      s.confirmed_at::timestamptz,
      CASE
        WHEN m.second_factor_of = 'everybody' OR m.second_factor_of = 'managers' AND p.role <> 'cashier'
          OR m.second_factor_of = 'owners' AND p.role = 'owner'
        THEN CASE WHEN NOT has_second_factor(u.id) THEN m.second_factor_from::timestamptz END
      END
    FROM staff_sessions s
    JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    LEFT JOIN (memberships p JOIN merchants m ON m.id = p.merchant_id AND m.closed_at IS NULL) ON p.user_id = u.id
    WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.expires_at > at AND s.confirmed_at IS NOT NULL
    ORDER BY m.name, m.id;
END $$;
--> statement-breakpoint
-- A code, and whether its merchant is closed: its page then says so.
DROP FUNCTION qr_code_by_token(bytea);
--> statement-breakpoint
CREATE FUNCTION qr_code_by_token(hash bytea) RETURNS TABLE (
  merchant_id uuid, qr_code_id uuid, clock_ahead_seconds integer, merchant_closed_at timestamptz
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT q.merchant_id, q.id, m.clock_ahead_seconds, m.closed_at FROM qr_codes q JOIN merchants m ON m.id = q.merchant_id
  WHERE q.token_hash = hash
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION qr_code_by_token FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION qr_code_by_token TO loyalty_app;
--> statement-breakpoint
-- The worker does nothing for the customers and staff of a closed merchant. It still books what was paid, sums reports up,
-- and deletes what is to be forgotten.
CREATE OR REPLACE FUNCTION merchants_with_expired_value(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE m.closed_at IS NULL AND EXISTS (
    SELECT FROM lots l WHERE l.merchant_id = m.id AND l.open
      AND l.expires_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stalled_voucher_issues(before timestamptz) RETURNS TABLE (merchant_id uuid, issue_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id
  FROM voucher_issues i
  JOIN voucher_campaigns c ON c.merchant_id = i.merchant_id AND c.id = i.campaign_id
  JOIN merchants m ON m.id = i.merchant_id AND m.closed_at IS NULL
  WHERE i.finished_at IS NULL AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND c.paused_at IS NULL
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (merchant_id uuid, import_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id AND m.closed_at IS NULL
  WHERE (i.finished_at IS NULL AND i.state = 'running' OR i.undo_started_at IS NOT NULL AND i.undone_at IS NULL)
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id AND m.closed_at IS NULL
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) own
  CROSS JOIN LATERAL (SELECT local_date(m.time_zone, own.now) AS today OFFSET 0) here
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND (c.valid_until IS NULL OR c.valid_until > own.now)
    AND (here.today IS NULL
      OR (c.occasions_through IS NULL OR c.occasions_through < here.today)
        AND (c.trigger <> 'seasonal' OR c.seasonal_on <= here.today
          AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on)))
  ORDER BY c.merchant_id, c.id
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_with_due_notices(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE m.closed_at IS NULL AND EXISTS (
    SELECT FROM messages g WHERE g.merchant_id = m.id AND g.state = 'queued' AND g.due_at IS NOT NULL
      AND g.due_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_that_remind() RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m WHERE m.closed_at IS NULL AND 'value-expiring' = ANY (m.notice_kinds)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_to_summarize(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT DISTINCT m.id
  FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.role <> 'cashier' AND m.closed_at IS NULL
    AND s.summarized_until < ((at + make_interval(secs => m.clock_ahead_seconds)) AT TIME ZONE m.time_zone)::date - 1
$$;
