-- expand
CREATE TABLE "events" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"store_id" uuid,
	"customer_id" uuid,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"data" jsonb,
	"xid" bigint DEFAULT (pg_current_xact_id()::text)::bigint NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "events_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "events_order" UNIQUE("merchant_id","xid","seq")
);
--> statement-breakpoint
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"merchant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"attempted_at" timestamp (3) with time zone,
	"status" smallint,
	"duration_ms" integer,
	"response" text,
	"failure" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_merchant_id_endpoint_id_event_id_pk" PRIMARY KEY("merchant_id","endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_pending" CHECK (("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."next_attempt_at" is not null)),
	CONSTRAINT "webhook_deliveries_response" CHECK (length("webhook_deliveries"."response") <= 1000)
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"event_types" text[],
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"state" text DEFAULT 'enabled' NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"queued_xid" bigint NOT NULL,
	"queued_seq" bigint NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "webhook_endpoints_state" CHECK ("webhook_endpoints"."state" in ('enabled', 'paused', 'disabled')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."state" = 'disabled') = ("webhook_endpoints"."disabled_at" is not null)
        and ("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null)),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_secret_until" is null))
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "records_events" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "event_types" text[] DEFAULT '{}';--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_merchant_id_endpoint_id_webhook_endpoints_merchant_id_id_fk" FOREIGN KEY ("merchant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_merchant_id_event_id_events_merchant_id_id_fk" FOREIGN KEY ("merchant_id","event_id") REFERENCES "public"."events"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_customer" ON "events" USING btree ("merchant_id","customer_id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("merchant_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","event_id") WHERE state = 'failed';--> statement-breakpoint
CREATE POLICY "tenant" ON "events" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "events" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_endpoints" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
GRANT UPDATE (records_events, event_types) ON merchants TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON events TO loyalty_app;
--> statement-breakpoint
-- A customer who is erased leaves no data behind.
GRANT UPDATE (data) ON events TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON webhook_endpoints TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  url, description, event_types, secret, previous_secret, previous_secret_until, state, disabled_reason, disabled_at,
  failing_since, queued_xid, queued_seq, leased_until
) ON webhook_endpoints TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON webhook_deliveries TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  state, attempts, queued_at, next_attempt_at, attempted_at, status, duration_ms, response, failure
) ON webhook_deliveries TO loyalty_app;
--> statement-breakpoint
-- As authenticate_api_key, which the release before calls, with the types of events that the merchant wants.
CREATE FUNCTION find_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earning_sale_limit bigint, customer_daily_points bigint,
  customer_daily_value bigint, key_daily_points bigint, key_daily_value bigint,
  earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, backdating_days integer, enrol_on_sale boolean, clock_ahead_seconds integer,
  notice_kinds text[], quiet_from text, quiet_until text, event_types text[], rate_per_second integer, rate_burst integer,
  scope text, networks cidr[]
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit,
      m.earning_sale_limit, m.customer_daily_points, m.customer_daily_value, m.key_daily_points, m.key_daily_value,
      m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.backdating_days, m.enrol_on_sale,
      m.clock_ahead_seconds, m.notice_kinds, m.quiet_from, m.quiet_until, m.event_types, k.rate_per_second, k.rate_burst,
      k.scope, k.networks
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id AND m.closed_at IS NULL
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION find_api_key FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_api_key TO loyalty_app;
--> statement-breakpoint
-- Deletes up to `most` events with ids below `before`, from the oldest on. An event stays while the one after it is not
-- to be deleted: whoever has read it last finds it, and has missed nothing.
CREATE FUNCTION forget_events(before uuid, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH deleted AS (
    DELETE FROM events WHERE ctid = ANY (ARRAY(
      SELECT old.ctid FROM merchants m
      CROSS JOIN LATERAL (
        SELECT o.ctid, o.id, lead(o.id) OVER (ORDER BY o.xid, o.seq) AS next_id
        FROM (
          SELECT e.ctid, e.id, e.xid, e.seq FROM events e WHERE e.merchant_id = m.id
          ORDER BY e.xid, e.seq LIMIT most + 1
        ) o
      ) old
      WHERE old.id < before AND old.next_id < before
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION forget_events FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forget_events TO loyalty_app;
--> statement-breakpoint
-- Merchants with stock-outs whose time is over, each by its own clock. Instead of end_stock_outs, which the release before
-- calls: each is ended in a database transaction of its merchant's, with its event.
CREATE FUNCTION merchants_with_ended_stock_outs(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE EXISTS (
    SELECT FROM stock_outs s WHERE s.merchant_id = m.id AND s.until <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION merchants_with_ended_stock_outs FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION merchants_with_ended_stock_outs TO loyalty_app;
--> statement-breakpoint
-- As before, and what events told of is forgotten with it.
CREATE OR REPLACE FUNCTION reset_sandbox_merchant(merchant uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  emptied text;
BEGIN
  IF merchant::text IS DISTINCT FROM current_setting('app.merchant_id', true)
    OR NOT EXISTS (SELECT FROM api_keys k WHERE k.merchant_id = merchant AND k.environment = 'sandbox')
    OR EXISTS (SELECT FROM api_keys k WHERE k.merchant_id = merchant AND k.environment = 'live')
  THEN
    RAISE insufficient_privilege USING MESSAGE = 'only a merchant of a sandbox can be reset';
  END IF;
  -- Each before those that its rows refer to.
  FOREACH emptied IN ARRAY ARRAY[
    'webhook_deliveries', 'events', 'order_lines', 'orders', 'qr_codes', 'stock_outs', 'messages', 'diner_sessions',
    'diner_codes', 'top_up_requests',
    'vouchers', 'voucher_counts', 'voucher_tallies', 'voucher_issues', 'sale_payments', 'sale_lines', 'sales',
    'partial_refunds', 'staff_top_ups', 'adjustments', 'ledger_entries', 'lots', 'transactions', 'voids',
    'customer_notes', 'customer_import_rows', 'customer_imports', 'customer_pins', 'customer_terms', 'balances', 'customers',
    'ledger_days', 'transaction_days', 'credit_days', 'sale_days', 'voucher_days', 'report_progress', 'job_runs'
  ] LOOP
    EXECUTE format('DELETE FROM %I WHERE merchant_id = $1', emptied) USING merchant;
  END LOOP;
  -- What was recorded at a time that the clock goes back before.
  DELETE FROM audit_log a WHERE a.merchant_id = merchant
    AND a.id > rpad(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0'), 32, 'f')::uuid;
  UPDATE voucher_campaigns c SET issued_count = 0, occasions_through = NULL WHERE c.merchant_id = merchant;
  UPDATE stores s SET last_order_number = 0 WHERE s.merchant_id = merchant;
  UPDATE merchants m SET clock_ahead_seconds = 0, clock_moved_at = now() WHERE m.id = merchant;
END $$;
