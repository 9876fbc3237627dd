-- expand
-- What a zone's clocks are ahead of UTC, from each of these instants on; nothing where this PostgreSQL does not know the zone.
-- Clocks change at most once in a week, on a quarter of an hour.
CREATE FUNCTION zone_offsets(zone text) RETURNS TABLE (starts_at timestamptz, ahead_seconds integer)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
  WITH weeks AS (
    SELECT at, lag(at) OVER (ORDER BY at) AS before, (at AT TIME ZONE zone) - (at AT TIME ZONE 'UTC') AS ahead
    FROM generate_series('1990-01-01T00:00Z'::timestamptz, '2101-01-01T00:00Z', '168 hours') AS at
  ), changes AS (
    SELECT w.before, w.at, lag(w.ahead) OVER (ORDER BY w.at) AS ahead_before, w.ahead FROM weeks w
  ), days AS (
    SELECT day - interval '24 hours' AS day, c.ahead_before, c.ahead
    FROM changes c CROSS JOIN LATERAL (
      SELECT day FROM generate_series(c.before + interval '24 hours', c.at, '24 hours') AS day
      WHERE (day AT TIME ZONE zone) - (day AT TIME ZONE 'UTC') <> c.ahead_before ORDER BY day LIMIT 1
    ) first
    WHERE c.ahead <> c.ahead_before
  )
  SELECT at, extract(epoch FROM w.ahead)::integer FROM weeks w WHERE w.before IS NULL
  UNION ALL
  SELECT quarter, extract(epoch FROM d.ahead)::integer
  FROM days d CROSS JOIN LATERAL (
    SELECT quarter FROM generate_series(d.day, d.day + interval '24 hours', '15 minutes') AS quarter
    WHERE (quarter AT TIME ZONE zone) - (quarter AT TIME ZONE 'UTC') <> d.ahead_before ORDER BY quarter LIMIT 1
  ) first
  ORDER BY 1;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN;
END $$;
