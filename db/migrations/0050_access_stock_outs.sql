CREATE FUNCTION end_stock_outs(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH ended AS (
    DELETE FROM stock_outs WHERE ctid = ANY (ARRAY(
      SELECT over.place FROM merchants m
      CROSS JOIN LATERAL (
        SELECT s.ctid AS place FROM stock_outs s
        WHERE s.merchant_id = m.id AND s.until <= at + make_interval(secs => m.clock_ahead_seconds)
        FOR UPDATE SKIP LOCKED
      ) over
    ))
    RETURNING stock_outs.merchant_id
  )
  SELECT DISTINCT ended.merchant_id FROM ended
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION end_stock_outs(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION end_stock_outs(timestamptz) TO loyalty_app;
