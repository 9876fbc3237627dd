-- expand
ALTER TABLE "transaction_days" ADD COLUMN "changed_at" timestamp (3) with time zone;
--> statement-breakpoint
GRANT UPDATE (changed_at) ON transaction_days TO loyalty_app;
--> statement-breakpoint
-- Merchants whose sums are behind. `time_zone` is the whole rule of how days are counted: the zone, the hour at which they start,
-- and the stores that differ. No older release wrote an hour, so all sums are rebuilt once, by the times at the tills.
CREATE FUNCTION reports_behind(at timestamptz)
RETURNS TABLE (merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id, days.rule, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  CROSS JOIN LATERAL (
    SELECT m.time_zone || ' ' || m.day_starts_at || coalesce((
      SELECT string_agg(' ' || s.id || ' ' || s.day_starts_at, '' ORDER BY s.id)
      FROM stores s WHERE s.merchant_id = m.id AND s.day_starts_at IS NOT NULL), '') AS rule
  ) days
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (m.clock_moved_at IS NULL OR m.clock_moved_at < at)
    AND (p.merchant_id IS NULL OR p.time_zone <> days.rule OR e.id > p.entry_id
      OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= own.until)
      OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= own.until)
      OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= own.until))
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION reports_behind(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION reports_behind(timestamptz) TO loyalty_app;
--> statement-breakpoint
-- The business day at an instant; null where this PostgreSQL does not know the zone.
CREATE FUNCTION local_date(zone text, at timestamptz, day_starts_at smallint) RETURNS date
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (at AT TIME ZONE zone - make_interval(hours => day_starts_at))::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The summary of a day is sent once the day has ended in every store.
CREATE OR REPLACE FUNCTION merchants_to_summarize(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT DISTINCT m.id
  FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  CROSS JOIN LATERAL (
    SELECT greatest(m.day_starts_at, max(o.day_starts_at)) AS starts_at FROM stores o WHERE o.merchant_id = m.id
  ) latest
  WHERE s.role <> 'cashier' AND m.closed_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() o WHERE o.merchant_id = m.id)
    AND s.summarized_until <
      ((at + make_interval(secs => m.clock_ahead_seconds)) AT TIME ZONE m.time_zone - make_interval(hours => latest.starts_at))::date - 1
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id AND m.closed_at IS NULL
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) own
  CROSS JOIN LATERAL (SELECT local_date(m.time_zone, own.now, m.day_starts_at) AS today OFFSET 0) here
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (c.valid_until IS NULL OR c.valid_until > own.now)
    AND (here.today IS NULL
      OR (c.occasions_through IS NULL OR c.occasions_through < here.today)
        AND (c.trigger <> 'seasonal' OR c.seasonal_on <= here.today
          AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on)))
  ORDER BY c.merchant_id, c.id
$$;
