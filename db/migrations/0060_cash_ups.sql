-- expand
CREATE TABLE "cash_up_counts" (
	"merchant_id" uuid NOT NULL,
	"cash_up_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	"expected" bigint NOT NULL,
	"counted" bigint NOT NULL,
	CONSTRAINT "cash_up_counts_merchant_id_cash_up_id_payment_method_pk" PRIMARY KEY("merchant_id","cash_up_id","payment_method")
);
--> statement-breakpoint
ALTER TABLE "cash_up_counts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cash_up_entries" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"is_void" boolean NOT NULL,
	"cash_up_id" uuid NOT NULL,
	CONSTRAINT "cash_up_entries_merchant_id_transaction_uid_is_void_pk" PRIMARY KEY("merchant_id","transaction_uid","is_void")
);
--> statement-breakpoint
ALTER TABLE "cash_up_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cash_ups" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"replaces_id" uuid,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cash_ups_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "cash_ups_replaced" UNIQUE("merchant_id","replaces_id"),
	CONSTRAINT "cash_ups_reason" CHECK (("cash_ups"."replaces_id" is null) = ("cash_ups"."reason" is null)),
	CONSTRAINT "cash_ups_shift" CHECK ("cash_ups"."since" < "cash_ups"."until")
);
--> statement-breakpoint
ALTER TABLE "cash_ups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cash_up_counts" ADD CONSTRAINT "cash_up_counts_merchant_id_cash_up_id_cash_ups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","cash_up_id") REFERENCES "public"."cash_ups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_up_entries" ADD CONSTRAINT "cash_up_entries_merchant_id_cash_up_id_cash_ups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","cash_up_id") REFERENCES "public"."cash_ups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_up_entries" ADD CONSTRAINT "cash_up_entries_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_ups" ADD CONSTRAINT "cash_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_ups" ADD CONSTRAINT "cash_ups_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_ups" ADD CONSTRAINT "cash_ups_merchant_id_replaces_id_cash_ups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","replaces_id") REFERENCES "public"."cash_ups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cash_up_entries_cash_up" ON "cash_up_entries" USING btree ("merchant_id","cash_up_id");--> statement-breakpoint
CREATE UNIQUE INDEX "cash_ups_of_shift" ON "cash_ups" USING btree ("merchant_id","store_id","since") WHERE replaces_id is null;--> statement-breakpoint
CREATE INDEX "cash_ups_store" ON "cash_ups" USING btree ("merchant_id","store_id","until");--> statement-breakpoint
CREATE POLICY "tenant" ON "cash_up_counts" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "cash_up_counts" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "cash_ups" p where p.merchant_id = "cash_up_counts".merchant_id and p."id" = "cash_up_counts"."cash_up_id") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "cash_up_entries" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "cash_up_entries" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "cash_ups" p where p.merchant_id = "cash_up_entries".merchant_id and p."id" = "cash_up_entries"."cash_up_id") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "cash_ups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "cash_ups" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
GRANT SELECT, INSERT ON cash_ups, cash_up_counts, cash_up_entries TO loyalty_app;--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.reset_sandbox_merchant(merchant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
    'cash_up_entries', 'cash_up_counts', 'cash_ups', 'partial_refunds', 'staff_top_ups', 'adjustments', 'ledger_entries', 'lots', 'transactions', 'voids',
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
END $function$;
