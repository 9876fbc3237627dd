-- expand
-- Endpoints that have something to send: events behind their place, or deliveries that are due. Those that fail come last.
CREATE FUNCTION webhook_endpoints_due(at timestamptz) RETURNS TABLE (merchant_id uuid, endpoint_id uuid, is_failing boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT w.merchant_id, w.id, w.failing_since IS NOT NULL
  FROM webhook_endpoints w
  JOIN merchants m ON m.id = w.merchant_id AND m.closed_at IS NULL
  WHERE w.state = 'enabled' AND (w.leased_until IS NULL OR w.leased_until <= at) AND (
    EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.merchant_id = w.merchant_id AND d.endpoint_id = w.id AND d.state = 'pending' AND d.next_attempt_at <= at)
    OR EXISTS (
      SELECT FROM events e
      WHERE e.merchant_id = w.merchant_id AND (e.xid, e.seq) > (w.queued_xid, w.queued_seq)
        AND e.xid < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint))
  ORDER BY 3, w.queued_xid
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION webhook_endpoints_due FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION webhook_endpoints_due TO loyalty_app;
--> statement-breakpoint
-- Of an endpoint that is deleted: in batches, as it may have hundreds of thousands.
GRANT DELETE ON webhook_deliveries TO loyalty_app;
