GRANT UPDATE (name, currency, country, time_zone, locale, balance_limit, earn_points, earn_per_amount, point_value,
  min_redeem_points, points_expiry_months, enrol_on_sale) ON merchants TO loyalty_app;
--> statement-breakpoint
GRANT INSERT ON stores, api_keys TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, store_code, closed_at) ON stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (expires_at, revoked_at) ON api_keys TO loyalty_app;
--> statement-breakpoint
GRANT SELECT ON api_requests TO loyalty_app;
--> statement-breakpoint
-- A key of a store that is closed is no key.
CREATE OR REPLACE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, enrol_on_sale boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.enrol_on_sale
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
-- Requests of all merchants' keys are written together: one statement for many of them.
CREATE FUNCTION record_api_requests(requests json) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  INSERT INTO api_requests (merchant_id, api_key_id, id, operation, status, error_code, duration_ms, created_at)
  SELECT "merchantId", "apiKeyId", id, operation, status, "errorCode", "durationMs", "createdAt"
  FROM json_to_recordset(requests) AS request ("merchantId" uuid, "apiKeyId" uuid, id uuid, operation text,
    status smallint, "errorCode" text, "durationMs" real, "createdAt" timestamptz)
$$;
--> statement-breakpoint
-- Deletes at most `most` requests with ids below `before` for all merchants, but never a key's newest: it says when the
-- key was last used. Answers how many it deleted.
CREATE FUNCTION delete_api_requests(before uuid, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  WITH deleted AS (
    DELETE FROM api_requests WHERE ctid = ANY (ARRAY(
      SELECT old.ctid FROM api_keys k
      CROSS JOIN LATERAL (
        SELECT n.id FROM api_requests n WHERE n.merchant_id = k.merchant_id AND n.api_key_id = k.id
        ORDER BY n.id DESC LIMIT 1
      ) newest
      CROSS JOIN LATERAL (
        SELECT o.ctid FROM api_requests o
        WHERE o.merchant_id = k.merchant_id AND o.api_key_id = k.id AND o.id < before AND o.id < newest.id
        ORDER BY o.id LIMIT most
      ) old
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION record_api_requests(json), delete_api_requests(uuid, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION record_api_requests(json), delete_api_requests(uuid, integer) TO loyalty_app;
