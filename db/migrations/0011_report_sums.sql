CREATE TABLE "credit_days" (
	"merchant_id" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"granted_on" date NOT NULL,
	"expires_on" date,
	"remaining" bigint NOT NULL,
	CONSTRAINT "credit_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","part","granted_on","expires_on")
);
--> statement-breakpoint
ALTER TABLE "credit_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "sale_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "summary_language" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "summarized_until" date;--> statement-breakpoint
ALTER TABLE "sale_days" ADD CONSTRAINT "sale_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_summary" CHECK (("memberships"."summary_language" is null) = ("memberships"."summarized_until" is null));--> statement-breakpoint
CREATE POLICY "tenant" ON "credit_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
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
