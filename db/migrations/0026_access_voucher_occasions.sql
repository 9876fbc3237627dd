-- Campaigns of all merchants that have an occasion to begin at this time, each in its merchant's time zone.
CREATE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid, time_zone text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT c.merchant_id, c.id, m.time_zone
  FROM voucher_campaigns c JOIN merchants m ON m.id = c.merchant_id
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND (c.valid_until IS NULL OR c.valid_until > at)
    AND (c.occasions_through IS NULL OR c.occasions_through < (at AT TIME ZONE m.time_zone)::date)
    AND (c.trigger <> 'seasonal' OR c.seasonal_on <= (at AT TIME ZONE m.time_zone)::date
      AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on))
  ORDER BY c.merchant_id, c.id
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION due_occasions(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION due_occasions(timestamptz) TO loyalty_app;
