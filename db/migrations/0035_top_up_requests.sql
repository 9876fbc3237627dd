CREATE TYPE "public"."top_up_method" AS ENUM('card', 'counter');--> statement-breakpoint
CREATE TYPE "public"."top_up_request_state" AS ENUM('open', 'credited', 'cancelled', 'expired', 'failed', 'refunding', 'refunded');--> statement-breakpoint
CREATE TABLE "top_up_requests" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"request_key" uuid NOT NULL,
	"package_id" uuid NOT NULL,
	"principal" bigint NOT NULL,
	"bonus" bigint NOT NULL,
	"bonus_expires_in_days" integer,
	"method" "top_up_method" NOT NULL,
	"state" "top_up_request_state" DEFAULT 'open' NOT NULL,
	"counter_code" text,
	"checkout_id" text,
	"checkout_url" text,
	"refusal" text,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"alerted_at" timestamp (3) with time zone,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"transaction_uid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "top_up_requests_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "top_up_requests_request_key" UNIQUE("merchant_id","customer_id","request_key"),
	CONSTRAINT "top_up_requests_transaction" UNIQUE("merchant_id","transaction_uid"),
	CONSTRAINT "top_up_requests_amounts" CHECK ("top_up_requests"."principal" > 0 and "top_up_requests"."bonus" >= 0 and "top_up_requests"."refunded_amount" >= 0),
	CONSTRAINT "top_up_requests_method" CHECK (("top_up_requests"."method" = 'counter') = ("top_up_requests"."counter_code" is not null)),
	CONSTRAINT "top_up_requests_credited" CHECK ("top_up_requests"."state" <> 'credited' or "top_up_requests"."transaction_uid" is not null)
);
--> statement-breakpoint
ALTER TABLE "top_up_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_origin";--> statement-breakpoint
ALTER TABLE "voids" DROP CONSTRAINT "voids_actor";--> statement-breakpoint
ALTER TABLE "transaction_days" DROP CONSTRAINT "transaction_days_merchant_id_day_store_id_type_pk";--> statement-breakpoint
ALTER TABLE "transaction_days" ALTER COLUMN "store_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_acknowledged_by_users_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_merchant_id_package_id_stored_value_packages_merchant_id_id_fk" FOREIGN KEY ("merchant_id","package_id") REFERENCES "public"."stored_value_packages"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "top_up_requests_open_code" ON "top_up_requests" USING btree ("merchant_id","counter_code") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "top_up_requests_code" ON "top_up_requests" USING btree ("merchant_id","counter_code","id") WHERE counter_code is not null;--> statement-breakpoint
CREATE INDEX "top_up_requests_customer" ON "top_up_requests" USING btree ("merchant_id","customer_id","id");--> statement-breakpoint
CREATE INDEX "top_up_requests_alerts" ON "top_up_requests" USING btree ("merchant_id","alerted_at") WHERE alerted_at is not null and acknowledged_at is null;--> statement-breakpoint
CREATE INDEX "top_up_requests_unsettled" ON "top_up_requests" USING btree ("created_at") WHERE state in ('open', 'refunding');--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_online" ON "transactions" USING btree ("merchant_id","transaction_id") WHERE store_id is null and transaction_id is not null;--> statement-breakpoint
ALTER TABLE "transaction_days" ADD CONSTRAINT "transaction_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","day","store_id","type");--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_origin" CHECK ("transactions"."type" in ('expiry', 'adjustment')
        or ("transactions"."transaction_id" is not null and ("transactions"."store_id" is not null or "transactions"."type" = 'topUp')));--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_actor" CHECK (num_nonnulls("voids"."api_key_id", "voids"."user_id") <= 1 and ("voids"."store_id" is null) = ("voids"."api_key_id" is null));--> statement-breakpoint
CREATE POLICY "tenant" ON "top_up_requests" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);