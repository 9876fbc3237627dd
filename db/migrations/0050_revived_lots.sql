-- contract, for releases since 0026_forget_events_in_time
ALTER TABLE "lots" ADD COLUMN "revived_at" timestamp (3) with time zone, ADD COLUMN "expired_at" timestamp (3) with time zone;
--> statement-breakpoint
-- No release has used it. What expires is delayed by `revive_lots` alone.
REVOKE UPDATE (expires_at) ON lots FROM loyalty_app;
--> statement-breakpoint
-- Lets lots of the tenant live on, all or none. They must have expired, and may not live longer than the merchant lets
-- returned value live: that many days, and the rest of the last one.
CREATE FUNCTION revive_lots(lot_ids uuid[], until timestamptz, at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  tenant uuid := nullif(current_setting('app.merchant_id', true), '')::uuid;
  found integer;
BEGIN
  UPDATE lots l SET expires_at = until, expired_at = l.expires_at, revived_at = at
  FROM merchants m
  CROSS JOIN LATERAL (SELECT now() + make_interval(secs => m.clock_ahead_seconds) AS now) own
  WHERE m.id = tenant AND l.merchant_id = tenant AND l.id = ANY (lot_ids)
    AND l.expires_at <= at AND at <= own.now + interval '1 minute'
    AND until > at AND until <= own.now + make_interval(days => m.returned_value_days + 2);
  GET DIAGNOSTICS found = ROW_COUNT;
  IF found <> cardinality(lot_ids) THEN
    RAISE insufficient_privilege USING MESSAGE = 'these lots may not live until then';
  END IF;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION revive_lots(uuid[], timestamptz, timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION revive_lots(uuid[], timestamptz, timestamptz) TO loyalty_app;
