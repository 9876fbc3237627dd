CREATE TYPE "public"."customer_import_state" AS ENUM('uploading', 'ready', 'running', 'finished');--> statement-breakpoint
CREATE TABLE "customer_import_rows" (
	"merchant_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"row_number" integer NOT NULL,
	"cells" text[] NOT NULL,
	"problems" text[],
	CONSTRAINT "customer_import_rows_merchant_id_import_id_row_number_pk" PRIMARY KEY("merchant_id","import_id","row_number")
);
--> statement-breakpoint
ALTER TABLE "customer_import_rows" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_imports" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"state" "customer_import_state" NOT NULL,
	"headings" text[] NOT NULL,
	"mapping" jsonb,
	"row_count" integer DEFAULT 0 NOT NULL,
	"done_through" integer DEFAULT 1 NOT NULL,
	"enrolled_count" integer DEFAULT 0 NOT NULL,
	"problem_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "customer_imports_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "customer_imports_started" CHECK (("customer_imports"."state" in ('running', 'finished')) = ("customer_imports"."started_at" is not null)),
	CONSTRAINT "customer_imports_finished" CHECK (("customer_imports"."state" = 'finished') = ("customer_imports"."finished_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "customer_imports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_terms" (
	"merchant_id" uuid NOT NULL,
	"term" text collate "C" NOT NULL,
	"customer_id" uuid NOT NULL,
	CONSTRAINT "customer_terms_merchant_id_term_customer_id_pk" PRIMARY KEY("merchant_id","term","customer_id")
);
--> statement-breakpoint
ALTER TABLE "customer_terms" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "adjustments" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"amount" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"reason" text NOT NULL,
	CONSTRAINT "adjustments_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "adjustments_transaction" UNIQUE("merchant_id","transaction_uid")
);
--> statement-breakpoint
ALTER TABLE "adjustments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "holds_value" boolean GENERATED ALWAYS AS (principal + bonus > 0) STORED;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "name_key" text collate "C" GENERATED ALWAYS AS (left(lower(regexp_replace(normalize(given_name || ' ' || last_name, NFKD), '[\u0300-\u036f]', '', 'g')), 80)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD CONSTRAINT "customer_import_rows_merchant_id_import_id_customer_imports_merchant_id_id_fk" FOREIGN KEY ("merchant_id","import_id") REFERENCES "public"."customer_imports"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_imports_open" ON "customer_imports" USING btree ("updated_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "balances_holding" ON "balances" USING btree ("merchant_id","customer_id") WHERE holds_value;--> statement-breakpoint
CREATE INDEX "balances_blocked" ON "balances" USING btree ("merchant_id","customer_id") WHERE blocked_at is not null;--> statement-breakpoint
CREATE INDEX "customers_name" ON "customers" USING btree ("merchant_id","name_key","id");--> statement-breakpoint
CREATE INDEX "customers_joined" ON "customers" USING btree ("merchant_id","joined_at","id");--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_import_rows" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_imports" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_terms" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "adjustments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);