CREATE TABLE "ledger_days" (
	"merchant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"store_id" uuid,
	"part" "balance_part" NOT NULL,
	"granted" bigint NOT NULL,
	"spent" bigint NOT NULL,
	"voided" bigint NOT NULL,
	"expired" bigint NOT NULL,
	"adjusted" bigint NOT NULL,
	CONSTRAINT "ledger_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","day","store_id","part")
);
--> statement-breakpoint
ALTER TABLE "ledger_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "report_progress" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"entry_id" bigint NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"void_id" uuid NOT NULL,
	"voucher_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_progress" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "transaction_days" (
	"merchant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"store_id" uuid NOT NULL,
	"type" "transaction_type" NOT NULL,
	"count" integer NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "transaction_days_merchant_id_day_store_id_type_pk" PRIMARY KEY("merchant_id","day","store_id","type")
);
--> statement-breakpoint
ALTER TABLE "transaction_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_days" (
	"merchant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"campaign_id" uuid NOT NULL,
	"issued" integer NOT NULL,
	"redeemed" integer NOT NULL,
	"discount" bigint NOT NULL,
	CONSTRAINT "voucher_days_merchant_id_day_campaign_id_pk" PRIMARY KEY("merchant_id","day","campaign_id")
);
--> statement-breakpoint
ALTER TABLE "voucher_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "ledger_days" ADD CONSTRAINT "ledger_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_progress" ADD CONSTRAINT "report_progress_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_days" ADD CONSTRAINT "transaction_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_days" ADD CONSTRAINT "voucher_days_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lots_open_bonus" ON "lots" USING btree ("merchant_id","expires_at") WHERE open and part = 'bonus';--> statement-breakpoint
CREATE POLICY "tenant" ON "ledger_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "report_progress" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "transaction_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);