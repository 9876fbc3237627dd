CREATE TABLE "api_requests" (
	"merchant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"operation" text,
	"status" smallint NOT NULL,
	"error_code" text,
	"duration_ms" real NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_requests_merchant_id_api_key_id_id_pk" PRIMARY KEY("merchant_id","api_key_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "transactions_bill_vouchers";--> statement-breakpoint
ALTER TABLE "transactions" ALTER COLUMN "transaction_id" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "voids" ALTER COLUMN "store_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "voids" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_merchant_id_api_key_id_api_keys_merchant_id_id_fk" FOREIGN KEY ("merchant_id","api_key_id") REFERENCES "public"."api_keys"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_requests_refused" ON "api_requests" USING btree ("merchant_id","api_key_id","id") WHERE status between 400 and 499;--> statement-breakpoint
CREATE INDEX "api_requests_failed" ON "api_requests" USING btree ("merchant_id","api_key_id","id") WHERE status >= 500;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transactions_bill" ON "transactions" USING btree ("merchant_id","store_id","bill_id") WHERE bill_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_void" ON "transactions" USING btree ("merchant_id","void_id") WHERE void_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_facets" ON "transactions" USING btree ("merchant_id","store_id","type","status","uid");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("merchant_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("merchant_id","actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor_action" ON "audit_log" USING btree ("merchant_id","actor_id","action","id");--> statement-breakpoint
CREATE INDEX "messages_state" ON "messages" USING btree ("merchant_id","state","id");--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_actor" CHECK (num_nonnulls("voids"."api_key_id", "voids"."user_id") = 1 and ("voids"."store_id" is null) = ("voids"."api_key_id" is null));--> statement-breakpoint
CREATE POLICY "tenant" ON "api_requests" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);