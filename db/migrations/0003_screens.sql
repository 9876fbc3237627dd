ALTER TABLE "customers" ADD COLUMN "privacy_accepted_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "messages_opted_in_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "privacy_url" text;
--> statement-breakpoint
GRANT UPDATE (privacy_url) ON merchants TO loyalty_app;
--> statement-breakpoint
-- A void is now summed with what it reverses. The worker sums all entries again; until then reports read them directly.
DELETE FROM "ledger_days";
--> statement-breakpoint
UPDATE "report_progress" SET "entry_id" = 0;
--> statement-breakpoint
ALTER TABLE "ledger_days" DROP COLUMN "voided";
--> statement-breakpoint
ALTER TABLE "menu_items" ADD COLUMN "diets" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "menu_options" ADD COLUMN "allergens" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "qr_codes" ADD COLUMN "invalidated_by" text;
--> statement-breakpoint
GRANT UPDATE (diets) ON menu_items TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (allergens) ON menu_options TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (invalidated_by) ON qr_codes TO loyalty_app;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "logo_id" uuid;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tax_name" text;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tax_basis_points" integer;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tax_included" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "service_basis_points" integer;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "service_included" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "is_code_shared" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "address" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "phone" text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- Stores with codes that differ only by case keep them: of each such code, the oldest store stands for it.
UPDATE "stores" s SET "is_code_shared" = true WHERE EXISTS (
  SELECT FROM "stores" older
  WHERE older."merchant_id" = s."merchant_id" AND lower(older."store_code") = lower(s."store_code") AND older."id" < s."id"
);
--> statement-breakpoint
CREATE UNIQUE INDEX "stores_code_in_any_case" ON "stores" USING btree ("merchant_id",lower("store_code")) WHERE not is_code_shared;
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_tax" CHECK ("merchants"."tax_basis_points" between 1 and 10000 and "merchants"."service_basis_points" between 1 and 10000);
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_logo" FOREIGN KEY ("id", "logo_id") REFERENCES "menu_photos" ("merchant_id", "id");
--> statement-breakpoint
GRANT UPDATE (logo_id, tax_name, tax_basis_points, tax_included, service_basis_points, service_included) ON merchants TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (address, phone, is_code_shared) ON stores TO loyalty_app;
--> statement-breakpoint
-- As before, and a merchant's logo stays, too.
CREATE OR REPLACE FUNCTION forget_menu_photos(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  locked uuid[];
BEGIN
  locked := ARRAY(
    SELECT p.id FROM menu_photos p
    WHERE p.uploaded_at < before
      AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
      AND NOT EXISTS (SELECT FROM merchants m WHERE m.id = p.merchant_id AND m.logo_id = p.id)
    LIMIT most FOR UPDATE OF p SKIP LOCKED);
  DELETE FROM menu_photos p
  WHERE p.id = ANY (locked) AND p.uploaded_at < before
    AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
    AND NOT EXISTS (SELECT FROM merchants m WHERE m.id = p.merchant_id AND m.logo_id = p.id);
  RETURN cardinality(locked);
END $$;
--> statement-breakpoint
CREATE TABLE "customer_notes" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp (3) with time zone,
	CONSTRAINT "customer_notes_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
ALTER TABLE "customer_notes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "partial_refunds" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"voided_uid" uuid NOT NULL,
	"rest_uid" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"total_amount" bigint NOT NULL,
	CONSTRAINT "partial_refunds_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "partial_refunds_voided" UNIQUE("merchant_id","voided_uid"),
	CONSTRAINT "partial_refunds_rest" UNIQUE("merchant_id","rest_uid"),
	CONSTRAINT "partial_refunds_amounts" CHECK ("partial_refunds"."amount" > 0 and "partial_refunds"."total_amount" >= "partial_refunds"."amount")
);
--> statement-breakpoint
ALTER TABLE "partial_refunds" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "staff_top_ups" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	CONSTRAINT "staff_top_ups_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "staff_top_ups_transaction" UNIQUE("merchant_id","transaction_uid")
);
--> statement-breakpoint
ALTER TABLE "staff_top_ups" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_refund_limit" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "partial_refunds" ADD CONSTRAINT "partial_refunds_merchant_id_voided_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","voided_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "partial_refunds" ADD CONSTRAINT "partial_refunds_merchant_id_rest_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","rest_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "staff_top_ups" ADD CONSTRAINT "staff_top_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "staff_top_ups" ADD CONSTRAINT "staff_top_ups_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "customer_notes_customer" ON "customer_notes" USING btree ("merchant_id","customer_id","created_at");
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_cashier_refunds" CHECK ("merchants"."cashier_refund_limit" >= 0);
--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_notes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "tenant" ON "partial_refunds" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "tenant" ON "staff_top_ups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
-- What staff enter is written once; a note can be changed, and goes with its customer.
GRANT SELECT, INSERT ON staff_top_ups, partial_refunds TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON customer_notes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (text, edited_at) ON customer_notes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (cashier_refund_limit) ON merchants TO loyalty_app;
--> statement-breakpoint
-- The transaction of what a refund leaves takes over the id, so that a till's repeated request and its void find it.
GRANT UPDATE (transaction_id) ON transactions TO loyalty_app;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "warning_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "openings" jsonb;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undo_user_id" uuid;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undo_started_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undone_through" uuid;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undone_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "adjustments" ADD COLUMN "import_id" uuid;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_undo_user_id_users_id_fk" FOREIGN KEY ("undo_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_import_id_customer_imports_merchant_id_id_fk" FOREIGN KEY ("merchant_id","import_id") REFERENCES "public"."customer_imports"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "adjustments_import" ON "adjustments" USING btree ("merchant_id","import_id","transaction_uid") WHERE import_id is not null;
--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_undone" CHECK (("customer_imports"."undo_user_id" is null) = ("customer_imports"."undo_started_at" is null)
        and ("customer_imports"."undo_started_at" is null or "customer_imports"."finished_at" is not null)
        and ("customer_imports"."undone_at" is null or "customer_imports"."undo_started_at" is not null));
--> statement-breakpoint
GRANT UPDATE (warning_count, openings, undo_user_id, undo_started_at, undone_through, undone_at)
ON customer_imports TO loyalty_app;
--> statement-breakpoint
-- Imports and undoings that nobody has carried on with since `before`: their worker is gone, or has not begun.
CREATE OR REPLACE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (merchant_id uuid, import_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id
  WHERE (i.finished_at IS NULL AND i.state = 'running' OR i.undo_started_at IS NOT NULL AND i.undone_at IS NULL)
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
ALTER TABLE "stored_value_packages" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
GRANT UPDATE (translations) ON stored_value_packages TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (translations) ON voucher_campaigns TO loyalty_app;
--> statement-breakpoint
CREATE TABLE "credit_days" (
	"merchant_id" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"granted_on" date NOT NULL,
	"expires_on" date,
	"remaining" bigint NOT NULL,
	CONSTRAINT "credit_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","part","granted_on","expires_on")
);
--> statement-breakpoint
ALTER TABLE "credit_days" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "sale_days" (
	"merchant_id" uuid NOT NULL,
	"dimension" text NOT NULL,
	"day" date NOT NULL,
	"store_id" uuid NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"quantity" numeric(16, 3) NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "sale_days_merchant_id_dimension_day_store_id_key_label_pk" PRIMARY KEY("merchant_id","dimension","day","store_id","key","label")
);
--> statement-breakpoint
ALTER TABLE "sale_days" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "summary_language" text;
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "summarized_until" date;
--> statement-breakpoint
ALTER TABLE "sale_days" ADD CONSTRAINT "sale_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_summary" CHECK (("memberships"."summary_language" is null) = ("memberships"."summarized_until" is null));
--> statement-breakpoint
CREATE POLICY "tenant" ON "credit_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON credit_days, sale_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (remaining) ON credit_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (quantity, amount) ON sale_days TO loyalty_app;
--> statement-breakpoint
-- Without a primary key, for credit that never expires has none.
ALTER TABLE credit_days REPLICA IDENTITY FULL;
--> statement-breakpoint
-- The worker sums everything up again, in one database transaction for each merchant.
UPDATE report_progress SET time_zone = '';
--> statement-breakpoint
GRANT UPDATE (summary_language, summarized_until) ON memberships TO loyalty_app;
--> statement-breakpoint
-- The merchants of whose last day, by their own clocks, somebody is still to get a summary.
CREATE FUNCTION merchants_to_summarize(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT DISTINCT m.id
  FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.role <> 'cashier'
    AND s.summarized_until < ((at + make_interval(secs => m.clock_ahead_seconds)) AT TIME ZONE m.time_zone)::date - 1
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION merchants_to_summarize FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION merchants_to_summarize TO loyalty_app;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "late_order_minutes" integer DEFAULT 15 NOT NULL;
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_late_orders" CHECK ("merchants"."late_order_minutes" between 1 and 240);
--> statement-breakpoint
-- Owners change it in the settings.
GRANT UPDATE (late_order_minutes) ON merchants TO loyalty_app;
