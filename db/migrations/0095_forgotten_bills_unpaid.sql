-- expand
CREATE OR REPLACE FUNCTION forgotten_bills(before timestamptz, most integer) RETURNS TABLE (merchant_id uuid, bill_uid uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT b.merchant_id, b.id FROM bills b JOIN merchants m ON m.id = b.merchant_id
  WHERE b.state = 'open' AND b.updated_at <= before + make_interval(secs => m.clock_ahead_seconds)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = b.merchant_id)
  ORDER BY b.updated_at LIMIT most
$$;
