-- expand
CREATE TABLE "dining_tables" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"name" text NOT NULL,
	"area" text DEFAULT '' NOT NULL,
	"seats" integer,
	"token_hash" "bytea" NOT NULL,
	"card_number" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "dining_tables_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "dining_tables_token" UNIQUE("token_hash"),
	CONSTRAINT "dining_tables_seats" CHECK ("dining_tables"."seats" between 1 and 1000)
);
--> statement-breakpoint
ALTER TABLE "dining_tables" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "ordering_settings" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"redeems_on_bill" boolean DEFAULT true NOT NULL,
	"card_on_bill" boolean DEFAULT true NOT NULL,
	"tip_percentages" smallint[] DEFAULT '{}' NOT NULL,
	"orders_again" boolean DEFAULT true NOT NULL,
	"shows_popular" boolean DEFAULT true NOT NULL,
	"filters_diets" boolean DEFAULT true NOT NULL,
	"calls_staff" boolean DEFAULT true NOT NULL,
	"estimates_wait" boolean DEFAULT true NOT NULL,
	"table_card_page" text DEFAULT 'menu' NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ordering_settings_tips" CHECK (cardinality("ordering_settings"."tip_percentages") <= 4 and 0 < all ("ordering_settings"."tip_percentages") and 50 >= all ("ordering_settings"."tip_percentages")),
	CONSTRAINT "ordering_settings_table_card_page" CHECK ("ordering_settings"."table_card_page" in ('menu', 'bill'))
);
--> statement-breakpoint
ALTER TABLE "ordering_settings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "table_calls" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"qr_code_id" uuid,
	"table_id" uuid,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"answered_by" uuid,
	CONSTRAINT "table_calls_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "table_calls_kind" CHECK ("table_calls"."kind" in ('staff', 'bill')),
	CONSTRAINT "table_calls_subject" CHECK (num_nonnulls("table_calls"."qr_code_id", "table_calls"."table_id") = 1),
	CONSTRAINT "table_calls_answered" CHECK ("table_calls"."answered_by" is null or "table_calls"."answered_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "table_calls" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ordering_settings" ADD CONSTRAINT "ordering_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk" FOREIGN KEY ("merchant_id","qr_code_id") REFERENCES "public"."qr_codes"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_table_id_dining_tables_merchant_id_id_fk" FOREIGN KEY ("merchant_id","table_id") REFERENCES "public"."dining_tables"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "dining_tables_name" ON "dining_tables" USING btree ("merchant_id","store_id","name") WHERE removed_at is null;
--> statement-breakpoint
CREATE INDEX "dining_tables_store" ON "dining_tables" USING btree ("merchant_id","store_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "table_calls_of_code" ON "table_calls" USING btree ("merchant_id","qr_code_id","kind") WHERE answered_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "table_calls_of_table" ON "table_calls" USING btree ("merchant_id","table_id","kind") WHERE answered_at is null;
--> statement-breakpoint
CREATE INDEX "table_calls_waiting" ON "table_calls" USING btree ("merchant_id","store_id","id") WHERE answered_at is null;
--> statement-breakpoint
CREATE POLICY "tenant" ON "dining_tables" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "stores" ON "dining_tables" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
CREATE POLICY "tenant" ON "ordering_settings" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "tenant" ON "table_calls" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "stores" ON "table_calls" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
GRANT SELECT, INSERT ON ordering_settings, dining_tables, table_calls TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  redeems_on_bill, card_on_bill, tip_percentages, orders_again, shows_popular, filters_diets, calls_staff, estimates_wait,
  table_card_page, updated_at
) ON ordering_settings TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, area, seats, token_hash, card_number, removed_at) ON dining_tables TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (answered_at, answered_by) ON table_calls TO loyalty_app;
--> statement-breakpoint
-- As before, with calls from tables. Tables and settings stay.
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
  IF EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = merchant) THEN
    RAISE SQLSTATE 'LM001' USING MESSAGE = 'the merchant is being moved';
  END IF;
  BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
  EXCEPTION WHEN insufficient_privilege THEN
    NULL;
  END;
  -- Each before those that its rows refer to.
  FOREACH emptied IN ARRAY ARRAY[
    'webhook_deliveries', 'events', 'bill_payments', 'bills',
    'table_calls', 'order_lines', 'orders', 'qr_codes', 'stock_outs', 'messages', 'diner_sessions', 'diner_codes', 'top_up_requests',
    'vouchers', 'voucher_counts', 'voucher_tallies', 'voucher_issues', 'sale_payments', 'sale_lines', 'sales',
    'partial_refunds', 'staff_top_ups', 'adjustments', 'ledger_entries', 'lots', 'transactions', 'voids',
    'customer_notes', 'customer_import_rows', 'customer_imports', 'customer_pins', 'customer_terms', 'balances', 'customers',
    'ledger_days', 'transaction_days', 'credit_days', 'sale_days', 'voucher_days', 'report_progress', 'job_runs'
  ] LOOP
    EXECUTE format('DELETE FROM %I WHERE merchant_id = $1', emptied) USING merchant;
  END LOOP;
  IF current_setting('session_replication_role') = 'replica' THEN
    PERFORM set_config('session_replication_role', 'origin', true);
  END IF;
  -- What was recorded at a time that the clock goes back before.
  DELETE FROM audit_log a WHERE a.merchant_id = merchant
    AND a.id > rpad(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0'), 32, 'f')::uuid;
  UPDATE voucher_campaigns c SET issued_count = 0, occasions_through = NULL WHERE c.merchant_id = merchant;
  UPDATE stores s SET last_order_number = 0 WHERE s.merchant_id = merchant;
  UPDATE merchants m SET clock_ahead_seconds = 0, clock_moved_at = now() WHERE m.id = merchant;
END $$;
--> statement-breakpoint
CREATE FUNCTION dining_table_by_token(hash bytea) RETURNS TABLE (
  merchant_id uuid, table_id uuid, clock_ahead_seconds integer, merchant_closed_at timestamptz
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT t.merchant_id, t.id, m.clock_ahead_seconds, m.closed_at
  FROM dining_tables t JOIN merchants m ON m.id = t.merchant_id
  WHERE t.token_hash = hash AND t.removed_at IS NULL
    AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION dining_table_by_token FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION dining_table_by_token TO loyalty_app;
