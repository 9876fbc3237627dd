ALTER TABLE "balances" ADD COLUMN "merged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "adjustments" ADD COLUMN "merged_with" uuid;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_merged_into_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","merged_into") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_merged_with_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","merged_with") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customers_merged" ON "customers" USING btree ("merchant_id","merged_into") WHERE merged_into is not null;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merged_into_another" CHECK ("customers"."merged_into" <> "customers"."id");
--> statement-breakpoint
-- What a merged customer has moves to the one that is kept.
GRANT UPDATE (merged_at) ON balances TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id, occasion) ON vouchers TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id) ON customer_notes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id) ON top_up_requests TO loyalty_app;
--> statement-breakpoint
-- Who wants no more messages tells the messenger's one number, and so all merchants. A merged customer's phone is the kept one's.
CREATE OR REPLACE FUNCTION customers_of_phone(number text) RETURNS TABLE (merchant_id uuid, customer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, coalesce(c.merged_into, c.id)
  FROM merchants m JOIN customers c ON c.merchant_id = m.id AND c.phone = number
$$;
