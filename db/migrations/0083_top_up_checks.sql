-- expand
ALTER TABLE "top_up_requests" ADD COLUMN "check_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD COLUMN "processing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD COLUMN "processing_until" timestamp (3) with time zone;--> statement-breakpoint
GRANT UPDATE (check_at, processing_since, processing_until) ON top_up_requests TO loyalty_app;--> statement-breakpoint
CREATE FUNCTION top_ups_to_check(refused_before timestamptz, at timestamptz, most integer)
RETURNS TABLE (merchant_id uuid, top_up_request_id uuid, method top_up_method, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT r.merchant_id, r.id, r.method, r.created_at FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at <= at - interval '1 minute'
    AND (r.state <> 'open' OR (r.method = 'card' AND coalesce(r.check_at, at) <= at) OR (r.method = 'counter' AND r.expires_at <= at))
    -- Staff have made the refund in another way.
    AND (r.state <> 'refunding' OR r.acknowledged_at IS NULL)
    AND (r.refund_refused_at IS NULL OR r.refund_refused_at < refused_before)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = r.merchant_id)
  ORDER BY r.created_at LIMIT most
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION top_ups_to_check FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION top_ups_to_check TO loyalty_app;
