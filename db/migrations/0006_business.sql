ALTER TABLE "merchants" ADD COLUMN "logo_id" uuid;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tax_name" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tax_basis_points" integer;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tax_included" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "service_basis_points" integer;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "service_included" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "is_code_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "phone" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Stores with codes that differ only by case keep them: of each such code, the oldest store stands for it.
UPDATE "stores" s SET "is_code_shared" = true WHERE EXISTS (
  SELECT FROM "stores" older
  WHERE older."merchant_id" = s."merchant_id" AND lower(older."store_code") = lower(s."store_code") AND older."id" < s."id"
);--> statement-breakpoint
CREATE UNIQUE INDEX "stores_code_in_any_case" ON "stores" USING btree ("merchant_id",lower("store_code")) WHERE not is_code_shared;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_tax" CHECK ("merchants"."tax_basis_points" between 1 and 10000 and "merchants"."service_basis_points" between 1 and 10000);--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_logo" FOREIGN KEY ("id", "logo_id") REFERENCES "menu_photos" ("merchant_id", "id");--> statement-breakpoint
GRANT UPDATE (logo_id, tax_name, tax_basis_points, tax_included, service_basis_points, service_included) ON merchants TO loyalty_app;--> statement-breakpoint
GRANT UPDATE (address, phone, is_code_shared) ON stores TO loyalty_app;--> statement-breakpoint
-- As before, and a merchant's logo stays, too.
CREATE OR REPLACE FUNCTION forget_menu_photos(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  locked uuid[];
BEGIN
  locked := ARRAY(
    SELECT p.id FROM menu_photos p
    WHERE p.uploaded_at < before
      AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
      AND NOT EXISTS (SELECT FROM merchants m WHERE m.id = p.merchant_id AND m.logo_id = p.id)
    LIMIT most FOR UPDATE OF p SKIP LOCKED);
  DELETE FROM menu_photos p
  WHERE p.id = ANY (locked) AND p.uploaded_at < before
    AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
    AND NOT EXISTS (SELECT FROM merchants m WHERE m.id = p.merchant_id AND m.logo_id = p.id);
  RETURN cardinality(locked);
END $$;
