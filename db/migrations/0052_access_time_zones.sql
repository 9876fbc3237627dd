-- The date at that time in the zone; null where this PostgreSQL does not know the zone: newer systems leave old names out.
CREATE FUNCTION local_date(zone text, at timestamptz) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (at AT TIME ZONE zone)::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $$;
--> statement-breakpoint
-- In a zone that only the application knows, it says itself what is due: nobody else's waits for that.
CREATE OR REPLACE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id
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
-- Zones go by their present names from here on, in what was summed up as well: so it stays as it is.
WITH renamed (old, new) AS (VALUES
  ('Africa/Asmera', 'Africa/Asmara'), ('America/Buenos_Aires', 'America/Argentina/Buenos_Aires'),
  ('America/Catamarca', 'America/Argentina/Catamarca'), ('America/Coral_Harbour', 'America/Atikokan'),
  ('America/Cordoba', 'America/Argentina/Cordoba'), ('America/Godthab', 'America/Nuuk'),
  ('America/Indianapolis', 'America/Indiana/Indianapolis'), ('America/Jujuy', 'America/Argentina/Jujuy'),
  ('America/Louisville', 'America/Kentucky/Louisville'), ('America/Mendoza', 'America/Argentina/Mendoza'),
  ('Asia/Calcutta', 'Asia/Kolkata'), ('Asia/Katmandu', 'Asia/Kathmandu'), ('Asia/Rangoon', 'Asia/Yangon'),
  ('Asia/Saigon', 'Asia/Ho_Chi_Minh'), ('Atlantic/Faeroe', 'Atlantic/Faroe'), ('Europe/Kiev', 'Europe/Kyiv'),
  ('Pacific/Enderbury', 'Pacific/Kanton'), ('Pacific/Ponape', 'Pacific/Pohnpei'), ('Pacific/Truk', 'Pacific/Chuuk')
), known AS (
  SELECT * FROM renamed WHERE local_date(new, now()) IS NOT NULL
), summed AS (
  UPDATE report_progress p SET time_zone = new FROM known WHERE p.time_zone = old
)
UPDATE merchants m SET time_zone = new FROM known WHERE m.time_zone = old;
