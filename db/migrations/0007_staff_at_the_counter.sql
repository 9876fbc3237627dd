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
ALTER TABLE "customer_notes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "partial_refunds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "staff_top_ups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "merged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_refund_limit" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partial_refunds" ADD CONSTRAINT "partial_refunds_merchant_id_voided_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","voided_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partial_refunds" ADD CONSTRAINT "partial_refunds_merchant_id_rest_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","rest_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_top_ups" ADD CONSTRAINT "staff_top_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_top_ups" ADD CONSTRAINT "staff_top_ups_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_notes_customer" ON "customer_notes" USING btree ("merchant_id","customer_id","created_at");--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_merged_into_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","merged_into") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customers_merged" ON "customers" USING btree ("merchant_id","merged_into") WHERE merged_into is not null;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_cashier_refunds" CHECK ("merchants"."cashier_refund_limit" >= 0);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_notes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "partial_refunds" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "staff_top_ups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
-- What staff enter is written once; a note can be changed, and goes with its customer.
GRANT SELECT, INSERT ON staff_top_ups, partial_refunds TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON customer_notes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id, text, edited_at) ON customer_notes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (cashier_refund_limit) ON merchants TO loyalty_app;
--> statement-breakpoint
-- The transaction of what a refund leaves takes over the id, so that a till's repeated request and its void find it.
GRANT UPDATE (transaction_id) ON transactions TO loyalty_app;
--> statement-breakpoint
-- What a merged customer has moves to the one that is kept.
GRANT UPDATE (merged_at) ON balances TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id, occasion) ON vouchers TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id) ON top_up_requests TO loyalty_app;
