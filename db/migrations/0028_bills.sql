-- expand
CREATE TABLE "bill_payments" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bill_uid" uuid NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"amount" bigint NOT NULL,
	"tip" bigint DEFAULT 0 NOT NULL,
	"kept_amount" bigint DEFAULT 0 NOT NULL,
	"kept_tip" bigint DEFAULT 0 NOT NULL,
	"returned_amount" bigint DEFAULT 0 NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_at" timestamp (3) with time zone,
	CONSTRAINT "bill_payments_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bill_payments_state" CHECK ("bill_payments"."state" in ('held', 'released', 'taken')),
	CONSTRAINT "bill_payments_amounts" CHECK ("bill_payments"."amount" > 0 and "bill_payments"."tip" >= 0),
	CONSTRAINT "bill_payments_kept" CHECK ("bill_payments"."kept_amount" between 0 and "bill_payments"."amount" and "bill_payments"."kept_tip" between 0 and "bill_payments"."tip"
        and ("bill_payments"."state" = 'taken' or "bill_payments"."kept_amount" + "bill_payments"."kept_tip" + "bill_payments"."returned_amount" = 0)),
	CONSTRAINT "bill_payments_returned" CHECK ("bill_payments"."returned_amount" between 0 and "bill_payments"."amount" + "bill_payments"."tip" - "bill_payments"."kept_amount" - "bill_payments"."kept_tip"),
	CONSTRAINT "bill_payments_taken" CHECK (("bill_payments"."state" = 'taken') = ("bill_payments"."taken_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "bill_payments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bills" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"bill_id" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"revision" integer NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"table_name" text,
	"lines" jsonb NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"service_charge" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"rounding" bigint NOT NULL,
	"total" bigint NOT NULL,
	"discount_transaction_ids" text[] DEFAULT '{}' NOT NULL,
	"held_amount" bigint DEFAULT 0 NOT NULL,
	"paid_amount" bigint DEFAULT 0 NOT NULL,
	"limit_amount" bigint DEFAULT 0 NOT NULL,
	"counts_from" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "bills_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bills_state" CHECK ("bills"."state" in ('open', 'closed', 'void')),
	CONSTRAINT "bills_revision" CHECK ("bills"."revision" > 0),
	CONSTRAINT "bills_total" CHECK ("bills"."total" = "bills"."subtotal" - "bills"."discount" + "bills"."service_charge" + "bills"."tax" + "bills"."rounding" and "bills"."total" >= 0),
	CONSTRAINT "bills_taken" CHECK ("bills"."held_amount" >= 0 and "bills"."paid_amount" >= 0 and "bills"."held_amount" + "bills"."paid_amount" <= "bills"."limit_amount"),
	CONSTRAINT "bills_closed" CHECK (("bills"."state" = 'open') = ("bills"."closed_at" is null))
);
--> statement-breakpoint
ALTER TABLE "bills" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "bill_payments" ADD CONSTRAINT "bill_payments_merchant_id_bill_uid_bills_merchant_id_id_fk" FOREIGN KEY ("merchant_id","bill_uid") REFERENCES "public"."bills"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bill_payments_bill" ON "bill_payments" USING btree ("merchant_id","bill_uid","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bills_open" ON "bills" USING btree ("merchant_id","store_id","bill_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "bills_bill" ON "bills" USING btree ("merchant_id","store_id","bill_id","id");--> statement-breakpoint
CREATE INDEX "bills_state" ON "bills" USING btree ("merchant_id","store_id","state","id");--> statement-breakpoint
CREATE POLICY "tenant" ON "bill_payments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "bill_payments" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "bills" p where p.merchant_id = "bill_payments".merchant_id and p."id" = "bill_payments"."bill_uid") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "bills" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "bills" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
GRANT SELECT, INSERT ON bills, bill_payments TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  state, revision, request_hash, table_name, lines, subtotal, discount, service_charge, tax, rounding, total,
  discount_transaction_ids, held_amount, paid_amount, limit_amount, updated_at, closed_at
) ON bills TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (state, kept_amount, kept_tip, returned_amount, held_until, taken_at) ON bill_payments TO loyalty_app;
--> statement-breakpoint
-- As before, with bills.
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
    'order_lines', 'orders', 'qr_codes', 'stock_outs', 'messages', 'diner_sessions', 'diner_codes', 'top_up_requests',
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