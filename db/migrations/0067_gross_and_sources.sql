-- expand
ALTER TABLE "transaction_days" ADD COLUMN "gross_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transaction_days" ADD COLUMN "gross" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
GRANT UPDATE (gross_count, gross) ON transaction_days TO loyalty_app;
--> statement-breakpoint
-- As `reports_behind`, which the release before calls: sums of another version of what is counted are rebuilt, too.
CREATE FUNCTION reports_behind_version(at timestamptz, version int)
RETURNS TABLE (merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id, days.rule, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  CROSS JOIN LATERAL (
    SELECT 'v' || version || ' ' || m.time_zone || ' ' || m.day_starts_at || coalesce((
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
REVOKE ALL ON FUNCTION reports_behind_version(timestamptz, int) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION reports_behind_version(timestamptz, int) TO loyalty_app;
