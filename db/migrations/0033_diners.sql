CREATE TABLE "diner_codes" (
	"merchant_id" uuid NOT NULL,
	"phone" text NOT NULL,
	"id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "diner_codes_merchant_id_phone_pk" PRIMARY KEY("merchant_id","phone"),
	CONSTRAINT "diner_codes_failures" CHECK ("diner_codes"."failures" between 0 and 5)
);
--> statement-breakpoint
ALTER TABLE "diner_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "diner_sessions" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"phone" text NOT NULL,
	"customer_id" uuid,
	"verified_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "diner_sessions_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "diner_sessions_token" UNIQUE("merchant_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "diner_sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "customer_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "phone" text;--> statement-breakpoint
ALTER TABLE "diner_codes" ADD CONSTRAINT "diner_codes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "diner_sessions" ADD CONSTRAINT "diner_sessions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "diner_sessions" ADD CONSTRAINT "diner_sessions_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "diner_codes_expiry" ON "diner_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "diner_sessions_customer" ON "diner_sessions" USING btree ("merchant_id","customer_id");--> statement-breakpoint
CREATE INDEX "diner_sessions_phone" ON "diner_sessions" USING btree ("merchant_id","phone");--> statement-breakpoint
CREATE INDEX "diner_sessions_expiry" ON "diner_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "messages_phone" ON "messages" USING btree ("merchant_id","phone","id") WHERE phone is not null;--> statement-breakpoint
CREATE INDEX "messages_stranger" ON "messages" USING btree ("created_at") WHERE phone is not null;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_recipient" CHECK (num_nonnulls("messages"."customer_id", "messages"."phone") = 1);--> statement-breakpoint
CREATE POLICY "tenant" ON "diner_codes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "diner_sessions" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);