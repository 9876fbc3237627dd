GRANT SELECT, INSERT ON top_up_requests TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (state, checkout_id, checkout_url, refusal, refunded_amount, alerted_at, acknowledged_at, acknowledged_by,
  transaction_uid) ON top_up_requests TO loyalty_app;
--> statement-breakpoint
-- Top-ups of all merchants that somebody has to ask after: paid by card and begun before `before`, or not paid back yet; or
-- to be paid at a counter, and past their time `at`. The oldest first.
CREATE FUNCTION unsettled_top_ups(before timestamptz, at timestamptz, most integer)
RETURNS TABLE (merchant_id uuid, top_up_request_id uuid, method top_up_method)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT r.merchant_id, r.id, r.method FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at < before AND (r.method = 'card' OR r.expires_at <= at)
  ORDER BY r.created_at LIMIT most
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION unsettled_top_ups(timestamptz, timestamptz, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION unsettled_top_ups(timestamptz, timestamptz, integer) TO loyalty_app;
