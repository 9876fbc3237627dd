-- expand
-- One merchant in a zone that this PostgreSQL does not know stopped the summaries of all. The reports of its days fail, too.
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
      local_date(m.time_zone, at + make_interval(secs => m.clock_ahead_seconds), latest.starts_at) - 1
$$;
