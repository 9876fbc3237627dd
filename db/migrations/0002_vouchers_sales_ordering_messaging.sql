CREATE TYPE "public"."message_state" AS ENUM('queued', 'sent', 'delivered', 'read', 'failed', 'inbox');--> statement-breakpoint
CREATE TYPE "public"."order_status" AS ENUM('placed', 'accepted', 'ready', 'served', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."qr_code_status" AS ENUM('active', 'invalidated', 'expired');--> statement-breakpoint
CREATE TYPE "public"."voucher_trigger" AS ENUM('join', 'birthday', 'anniversary', 'seasonal', 'manual');--> statement-breakpoint
CREATE TYPE "public"."voucher_unit" AS ENUM('BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage');--> statement-breakpoint
CREATE TABLE "messages" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"state" "message_state" DEFAULT 'queued' NOT NULL,
	"secret" "bytea",
	"attempts" smallint DEFAULT 0 NOT NULL,
	"provider_id" text,
	"failure" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "messages_secret" CHECK ("messages"."state" in ('queued', 'inbox') or "messages"."secret" is null)
);
--> statement-breakpoint
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "order_lines" (
	"merchant_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"plu" text NOT NULL,
	"name" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_price" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "order_lines_merchant_id_order_id_position_pk" PRIMARY KEY("merchant_id","order_id","position"),
	CONSTRAINT "order_lines_quantity" CHECK ("order_lines"."quantity" between 1 and 99)
);
--> statement-breakpoint
ALTER TABLE "order_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "orders" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"qr_code_id" uuid NOT NULL,
	"client_order_id" uuid NOT NULL,
	"status" "order_status" DEFAULT 'placed' NOT NULL,
	"total" bigint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"placed_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "orders_client_order_id" UNIQUE("merchant_id","qr_code_id","client_order_id")
);
--> statement-breakpoint
ALTER TABLE "orders" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "qr_codes" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"bill_id" text NOT NULL,
	"table_name" text,
	"guests" integer,
	"status" "qr_code_status" DEFAULT 'active' NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"invalidated_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "qr_codes_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "qr_codes_token" UNIQUE("token_hash"),
	CONSTRAINT "qr_codes_invalidated" CHECK (("qr_codes"."status" = 'invalidated') = ("qr_codes"."invalidated_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "qr_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stock_outs" (
	"merchant_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"plu" text NOT NULL,
	"until" timestamp (3) with time zone,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"stocked_out_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_outs_merchant_id_store_id_plu_pk" PRIMARY KEY("merchant_id","store_id","plu")
);
--> statement-breakpoint
ALTER TABLE "stock_outs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sale_lines" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"position" smallint NOT NULL,
	"plu" text NOT NULL,
	"name" text NOT NULL,
	"quantity" numeric(12, 3) NOT NULL,
	"unit_price" bigint NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "sale_lines_merchant_id_transaction_uid_position_pk" PRIMARY KEY("merchant_id","transaction_uid","position")
);
--> statement-breakpoint
ALTER TABLE "sale_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sale_payments" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"position" smallint NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "sale_payments_merchant_id_transaction_uid_position_pk" PRIMARY KEY("merchant_id","transaction_uid","position")
);
--> statement-breakpoint
ALTER TABLE "sale_payments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sales" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"service_charge" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"rounding" bigint NOT NULL,
	"total" bigint NOT NULL,
	"points_earned" bigint NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sales_merchant_id_transaction_uid_pk" PRIMARY KEY("merchant_id","transaction_uid"),
	CONSTRAINT "sales_total" CHECK ("sales"."total" = "sales"."subtotal" - "sales"."discount" + "sales"."service_charge" + "sales"."tax" + "sales"."rounding")
);
--> statement-breakpoint
ALTER TABLE "sales" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_campaign_stores" (
	"merchant_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "voucher_campaign_stores_merchant_id_campaign_id_store_id_pk" PRIMARY KEY("merchant_id","campaign_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "voucher_campaign_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_campaigns" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"unit" "voucher_unit" NOT NULL,
	"value" bigint NOT NULL,
	"plus" text[] DEFAULT '{}' NOT NULL,
	"min_spend" bigint DEFAULT 0 NOT NULL,
	"max_discount" bigint,
	"max_units" integer DEFAULT 1 NOT NULL,
	"stackable" boolean DEFAULT false NOT NULL,
	"all_stores" boolean DEFAULT true NOT NULL,
	"valid_from" timestamp (3) with time zone,
	"valid_until" timestamp (3) with time zone,
	"validity_days" integer,
	"trigger" "voucher_trigger" NOT NULL,
	"total_limit" integer,
	"per_customer_limit" integer,
	"issued_count" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voucher_campaigns_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "voucher_campaigns_value" CHECK ("voucher_campaigns"."value" > 0 and ("voucher_campaigns"."unit" in ('BillDollarValue', 'ItemDollarValue') or "voucher_campaigns"."value" <= 10000)),
	CONSTRAINT "voucher_campaigns_items" CHECK (("voucher_campaigns"."unit" in ('ItemDollarValue', 'ItemDollarPercentage')) = (cardinality("voucher_campaigns"."plus") > 0)),
	CONSTRAINT "voucher_campaigns_bounds" CHECK ("voucher_campaigns"."min_spend" >= 0 and "voucher_campaigns"."max_discount" > 0 and "voucher_campaigns"."max_units" > 0 and "voucher_campaigns"."validity_days" > 0),
	CONSTRAINT "voucher_campaigns_total_limit" CHECK ("voucher_campaigns"."issued_count" between 0 and coalesce("voucher_campaigns"."total_limit", 2147483647)),
	CONSTRAINT "voucher_campaigns_customer_limit" CHECK ("voucher_campaigns"."per_customer_limit" > 0)
);
--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_counts" (
	"merchant_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"issued_count" integer NOT NULL,
	CONSTRAINT "voucher_counts_merchant_id_campaign_id_customer_id_pk" PRIMARY KEY("merchant_id","campaign_id","customer_id")
);
--> statement-breakpoint
ALTER TABLE "voucher_counts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "vouchers" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"voucher_code" text NOT NULL,
	"occasion" text,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"issued_by" uuid,
	"redeemed_by" uuid,
	"redeemed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "vouchers_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "vouchers_code" UNIQUE("merchant_id","voucher_code"),
	CONSTRAINT "vouchers_occasion" UNIQUE("merchant_id","campaign_id","customer_id","occasion"),
	CONSTRAINT "vouchers_redeemed" CHECK (("vouchers"."redeemed_by" is null) = ("vouchers"."redeemed_at" is null))
);
--> statement-breakpoint
ALTER TABLE "vouchers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_merchant_id_order_id_orders_merchant_id_id_fk" FOREIGN KEY ("merchant_id","order_id") REFERENCES "public"."orders"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk" FOREIGN KEY ("merchant_id","qr_code_id") REFERENCES "public"."qr_codes"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qr_codes" ADD CONSTRAINT "qr_codes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qr_codes" ADD CONSTRAINT "qr_codes_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_outs" ADD CONSTRAINT "stock_outs_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_outs" ADD CONSTRAINT "stock_outs_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_merchant_id_transaction_uid_sales_merchant_id_transaction_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."sales"("merchant_id","transaction_uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_payments" ADD CONSTRAINT "sale_payments_merchant_id_transaction_uid_sales_merchant_id_transaction_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."sales"("merchant_id","transaction_uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaign_stores" ADD CONSTRAINT "voucher_campaign_stores_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaign_stores" ADD CONSTRAINT "voucher_campaign_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_counts" ADD CONSTRAINT "voucher_counts_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_counts" ADD CONSTRAINT "voucher_counts_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_issued_by_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","issued_by") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_redeemed_by_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","redeemed_by") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_customer" ON "messages" USING btree ("merchant_id","customer_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider_id" ON "messages" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "orders_store" ON "orders" USING btree ("merchant_id","store_id","id");--> statement-breakpoint
CREATE INDEX "orders_store_status" ON "orders" USING btree ("merchant_id","store_id","status","id");--> statement-breakpoint
CREATE INDEX "orders_qr_code" ON "orders" USING btree ("merchant_id","qr_code_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "qr_codes_open_bill" ON "qr_codes" USING btree ("merchant_id","store_id","bill_id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "qr_codes_bill" ON "qr_codes" USING btree ("merchant_id","store_id","bill_id","id");--> statement-breakpoint
CREATE INDEX "vouchers_open" ON "vouchers" USING btree ("merchant_id","customer_id") WHERE redeemed_at is null and cancelled_at is null;--> statement-breakpoint
CREATE INDEX "vouchers_redeemed_by" ON "vouchers" USING btree ("merchant_id","redeemed_by") WHERE redeemed_by is not null;--> statement-breakpoint
CREATE INDEX "vouchers_issued_by" ON "vouchers" USING btree ("merchant_id","issued_by") WHERE issued_by is not null;--> statement-breakpoint
CREATE INDEX "transactions_bill_vouchers" ON "transactions" USING btree ("merchant_id","store_id","bill_id") WHERE type = 'redeemVoucher' and bill_id is not null;--> statement-breakpoint
CREATE POLICY "tenant" ON "messages" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "order_lines" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "orders" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "qr_codes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "stock_outs" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_lines" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_payments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "sales" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_campaign_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_campaigns" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_counts" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "vouchers" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);