ALTER TABLE "customer_imports" ADD COLUMN "warning_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "openings" jsonb;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undo_user_id" uuid;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undo_started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undone_through" uuid;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "undone_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "adjustments" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_undo_user_id_users_id_fk" FOREIGN KEY ("undo_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_import_id_customer_imports_merchant_id_id_fk" FOREIGN KEY ("merchant_id","import_id") REFERENCES "public"."customer_imports"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adjustments_import" ON "adjustments" USING btree ("merchant_id","import_id","transaction_uid") WHERE import_id is not null;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_undone" CHECK (("customer_imports"."undo_user_id" is null) = ("customer_imports"."undo_started_at" is null)
        and ("customer_imports"."undo_started_at" is null or "customer_imports"."finished_at" is not null)
        and ("customer_imports"."undone_at" is null or "customer_imports"."undo_started_at" is not null));--> statement-breakpoint
GRANT UPDATE (warning_count, openings, undo_user_id, undo_started_at, undone_through, undone_at)
ON customer_imports TO loyalty_app;
--> statement-breakpoint
-- Imports and undoings that nobody has carried on with since `before`: their worker is gone, or has not begun.
CREATE OR REPLACE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (merchant_id uuid, import_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id
  WHERE (i.finished_at IS NULL AND i.state = 'running' OR i.undo_started_at IS NOT NULL AND i.undone_at IS NULL)
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
  ORDER BY i.updated_at LIMIT 100
$$;
