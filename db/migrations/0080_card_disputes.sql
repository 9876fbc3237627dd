-- expand
CREATE TABLE "card_disputes" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"service_id" text NOT NULL,
	"top_up_request_id" uuid,
	"bill_payment_id" uuid,
	"store_id" uuid,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"respond_by" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"block_uid" uuid,
	"revision" integer DEFAULT 1 NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "card_disputes_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "card_disputes_service_id" UNIQUE("merchant_id","service_id"),
	CONSTRAINT "card_disputes_subject" CHECK (num_nonnulls("card_disputes"."top_up_request_id", "card_disputes"."bill_payment_id") = 1),
	CONSTRAINT "card_disputes_store" CHECK (("card_disputes"."bill_payment_id" is null) = ("card_disputes"."store_id" is null)),
	CONSTRAINT "card_disputes_amount" CHECK ("card_disputes"."amount" > 0),
	CONSTRAINT "card_disputes_status" CHECK ("card_disputes"."status" in ('needs_response', 'under_review', 'won', 'lost')),
	CONSTRAINT "card_disputes_closed" CHECK (("card_disputes"."status" in ('won', 'lost')) = ("card_disputes"."closed_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "card_disputes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_acknowledged_by_users_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_merchant_id_top_up_request_id_top_up_requests_merchant_id_id_fk" FOREIGN KEY ("merchant_id","top_up_request_id") REFERENCES "public"."top_up_requests"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_merchant_id_bill_payment_id_bill_payments_merchant_id_id_fk" FOREIGN KEY ("merchant_id","bill_payment_id") REFERENCES "public"."bill_payments"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_merchant_id_block_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","block_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_disputes_top_up" ON "card_disputes" USING btree ("merchant_id","top_up_request_id") WHERE top_up_request_id is not null;--> statement-breakpoint
CREATE INDEX "card_disputes_bill_payment" ON "card_disputes" USING btree ("merchant_id","bill_payment_id") WHERE bill_payment_id is not null;--> statement-breakpoint
CREATE INDEX "card_disputes_block" ON "card_disputes" USING btree ("merchant_id","block_uid") WHERE block_uid is not null;--> statement-breakpoint
CREATE INDEX "card_disputes_open" ON "card_disputes" USING btree ("merchant_id","respond_by") WHERE status = 'needs_response' or (status = 'lost' and acknowledged_at is null);--> statement-breakpoint
CREATE POLICY "tenant" ON "card_disputes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "card_disputes" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
GRANT SELECT, INSERT ON card_disputes TO loyalty_app;--> statement-breakpoint
GRANT UPDATE (amount, reason, status, respond_by, closed_at, block_uid, revision, acknowledged_at, acknowledged_by) ON card_disputes TO loyalty_app;--> statement-breakpoint
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
    'webhook_deliveries', 'events', 'card_disputes', 'bill_payments', 'bills',
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
