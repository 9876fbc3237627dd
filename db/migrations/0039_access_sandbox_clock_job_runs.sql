GRANT UPDATE (clock_ahead_seconds, clock_moved_at) ON merchants TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON job_runs, scheduled_tasks TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (started_at, updated_at, ended_at, done, failures, error) ON job_runs TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (started_at, ended_at, done, error) ON scheduled_tasks TO loyalty_app;
--> statement-breakpoint
-- Deletes at most `most` runs, of all merchants, that came no further since `before`. Answers how many it deleted.
CREATE FUNCTION forget_job_runs(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  WITH deleted AS (
    DELETE FROM job_runs WHERE ctid = ANY (ARRAY(SELECT ctid FROM job_runs WHERE updated_at < before LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION forget_job_runs(timestamptz, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forget_job_runs(timestamptz, integer) TO loyalty_app;
--> statement-breakpoint
-- The first id (UUIDv7) of a millisecond, as the application makes them.
CREATE FUNCTION first_id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
--> statement-breakpoint
-- From here on, functions that look at all merchants know that each has a clock of its own: they take the machine's time.
DROP FUNCTION authenticate_api_key(bytea);
--> statement-breakpoint
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, enrol_on_sale boolean, clock_ahead_seconds integer
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.enrol_on_sale,
      m.clock_ahead_seconds
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
-- Campaigns of all merchants that have an occasion to begin at this time, each by its merchant's clock and time zone.
DROP FUNCTION due_occasions(timestamptz);
--> statement-breakpoint
CREATE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) own
  CROSS JOIN LATERAL (SELECT (own.now AT TIME ZONE m.time_zone)::date AS today) here
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND (c.valid_until IS NULL OR c.valid_until > own.now)
    AND (c.occasions_through IS NULL OR c.occasions_through < here.today)
    AND (c.trigger <> 'seasonal' OR c.seasonal_on <= here.today
      AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on))
  ORDER BY c.merchant_id, c.id
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION due_occasions(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION due_occasions(timestamptz) TO loyalty_app;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_with_expired_value(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id FROM merchants m
  WHERE EXISTS (
    SELECT FROM lots l WHERE l.merchant_id = m.id AND l.open
      AND l.expires_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stalled_voucher_issues(before timestamptz) RETURNS TABLE (merchant_id uuid, issue_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT i.merchant_id, i.id
  FROM voucher_issues i
  JOIN voucher_campaigns c ON c.merchant_id = i.merchant_id AND c.id = i.campaign_id
  JOIN merchants m ON m.id = i.merchant_id
  WHERE i.finished_at IS NULL AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND c.paused_at IS NULL
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (merchant_id uuid, import_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id
  WHERE i.finished_at IS NULL AND i.state = 'running'
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION record_delivery_receipt(provider text, new_state message_state, reason text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE messages g SET state = new_state, failure = reason,
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND provider_id = provider
    AND (state = 'sent' AND new_state IN ('delivered', 'read', 'failed') OR state = 'delivered' AND new_state = 'read');
  SELECT EXISTS (SELECT FROM messages WHERE provider_id = provider);
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION give_up_messages(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE messages g SET state = 'failed', secret = NULL, failure = 'given up after a day',
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND state = 'queued' AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
$$;
--> statement-breakpoint
-- The merchants of whom something is not summed up yet, of what the application had made by `at`; each with how far its
-- clock is ahead, its last ledger entry, and the first database transaction that had not begun. One whose clock was
-- advanced since is left for later: what was under way carries ids of the time before.
DROP FUNCTION report_backlog(uuid);
--> statement-breakpoint
CREATE FUNCTION report_backlog(at timestamptz) RETURNS TABLE (
  merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id, m.time_zone, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE (m.clock_moved_at IS NULL OR m.clock_moved_at < at)
    AND (p.merchant_id IS NULL OR p.time_zone <> m.time_zone OR e.id > p.entry_id
      OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= own.until)
      OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= own.until)
      OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= own.until))
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION report_backlog(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION report_backlog(timestamptz) TO loyalty_app;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_diners(ended timestamptz, before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  DELETE FROM diner_codes WHERE expires_at <= ended;
  DELETE FROM diner_sessions WHERE expires_at <= ended;
  DELETE FROM messages g USING merchants m
  WHERE m.id = g.merchant_id AND g.phone IS NOT NULL
    AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds);
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_customer_imports(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE customer_imports i SET headings = '{}' FROM merchants m
  WHERE m.id = i.merchant_id AND state <> 'running' AND headings <> '{}'
    AND i.created_at < before + make_interval(secs => m.clock_ahead_seconds);
  WITH deleted AS (
    DELETE FROM customer_import_rows WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM customer_imports i
      JOIN merchants m ON m.id = i.merchant_id
      JOIN customer_import_rows r ON r.merchant_id = i.merchant_id AND r.import_id = i.id
      WHERE i.state <> 'running' AND i.created_at < before + make_interval(secs => m.clock_ahead_seconds)
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
