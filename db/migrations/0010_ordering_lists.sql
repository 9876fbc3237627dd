CREATE TYPE "public"."issue_audience" AS ENUM('customers', 'segment', 'birthday', 'anniversary');--> statement-breakpoint
CREATE TABLE "voucher_issues" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"audience" "issue_audience" NOT NULL,
	"customer_ids" uuid[],
	"last_visited_store_id" uuid,
	"min_spent" bigint,
	"not_seen_since" date,
	"joined_before" date,
	"holds_stored_value" boolean DEFAULT false NOT NULL,
	"occasion_on" date,
	"requested_count" integer,
	"issued_count" integer DEFAULT 0 NOT NULL,
	"refused_count" integer DEFAULT 0 NOT NULL,
	"done_through" uuid,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "voucher_issues_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "voucher_issues_occasion" UNIQUE("merchant_id","campaign_id","occasion_on"),
	CONSTRAINT "voucher_issues_customers" CHECK (("voucher_issues"."audience" = 'customers') = ("voucher_issues"."customer_ids" is not null))
);
--> statement-breakpoint
ALTER TABLE "voucher_issues" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_tallies" (
	"merchant_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"slot" smallint NOT NULL,
	"issued" bigint NOT NULL,
	"redeemed" bigint NOT NULL,
	"cancelled" bigint NOT NULL,
	"discount" bigint NOT NULL,
	CONSTRAINT "voucher_tallies_merchant_id_campaign_id_expires_at_slot_pk" PRIMARY KEY("merchant_id","campaign_id","expires_at","slot")
);
--> statement-breakpoint
ALTER TABLE "voucher_tallies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "orders_store";--> statement-breakpoint
DROP INDEX "orders_store_status";--> statement-breakpoint
DROP INDEX "orders_qr_code";--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "last_order_number" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "number" integer;--> statement-breakpoint
UPDATE orders o SET number = n.number FROM (
  SELECT merchant_id, id, row_number() OVER (PARTITION BY merchant_id, store_id ORDER BY id) AS number FROM orders
) n WHERE n.merchant_id = o.merchant_id AND n.id = o.id;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
UPDATE stores s SET last_order_number = coalesce((
  SELECT max(number) FROM orders o WHERE o.merchant_id = s.merchant_id AND o.store_id = s.id), 0);--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "days_before" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "seasonal_on" date;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "last_visited_store_id" uuid;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "min_spent" bigint;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "not_seen_since" date;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "joined_before" date;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "holds_stored_value" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "occasions_through" date;--> statement-breakpoint
ALTER TABLE "vouchers" ADD COLUMN "cancel_reason" text;--> statement-breakpoint
ALTER TABLE "vouchers" ADD COLUMN "state" text GENERATED ALWAYS AS (case when redeemed_at is not null then 'redeemed' when cancelled_at is not null then 'cancelled' else 'unused' end) STORED;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD CONSTRAINT "voucher_issues_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD CONSTRAINT "voucher_issues_merchant_id_last_visited_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","last_visited_store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_tallies" ADD CONSTRAINT "voucher_tallies_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "voucher_issues_campaign" ON "voucher_issues" USING btree ("merchant_id","campaign_id","id");--> statement-breakpoint
CREATE INDEX "voucher_issues_open" ON "voucher_issues" USING btree ("updated_at") WHERE finished_at is null;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_merchant_id_last_visited_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","last_visited_store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_placed" ON "orders" USING btree ("merchant_id","placed_at","id");--> statement-breakpoint
CREATE INDEX "qr_codes_table" ON "qr_codes" USING btree ("merchant_id","store_id","table_name","id");--> statement-breakpoint
CREATE INDEX "qr_codes_status" ON "qr_codes" USING btree ("merchant_id","store_id","status","id");--> statement-breakpoint
CREATE INDEX "qr_codes_active" ON "qr_codes" USING btree ("merchant_id","store_id","expires_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "vouchers_campaign" ON "vouchers" USING btree ("merchant_id","campaign_id","state","id");--> statement-breakpoint
CREATE INDEX "orders_store_status" ON "orders" USING btree ("merchant_id","store_id","status","number");--> statement-breakpoint
CREATE INDEX "orders_qr_code" ON "orders" USING btree ("merchant_id","qr_code_id","number");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_number" UNIQUE("merchant_id","store_id","number");--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_days_before" CHECK ("voucher_campaigns"."days_before" between 0 and 30);--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_min_spent" CHECK ("voucher_campaigns"."min_spent" > 0);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_issues" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_tallies" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);