CREATE TABLE "invitation_stores" (
	"merchant_id" uuid NOT NULL,
	"invitation_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "invitation_stores_merchant_id_invitation_id_store_id_pk" PRIMARY KEY("merchant_id","invitation_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "invitation_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "membership_stores" (
	"merchant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "membership_stores_merchant_id_user_id_store_id_pk" PRIMARY KEY("merchant_id","user_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "membership_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "all_stores" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "all_stores" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "invitation_stores" ADD CONSTRAINT "invitation_stores_merchant_id_invitation_id_invitations_merchant_id_id_fk" FOREIGN KEY ("merchant_id","invitation_id") REFERENCES "public"."invitations"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_stores" ADD CONSTRAINT "invitation_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_stores" ADD CONSTRAINT "membership_stores_merchant_id_user_id_memberships_merchant_id_user_id_fk" FOREIGN KEY ("merchant_id","user_id") REFERENCES "public"."memberships"("merchant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_stores" ADD CONSTRAINT "membership_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_stores" CHECK ("invitations"."all_stores" or "invitations"."role" <> 'owner');--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_stores" CHECK ("memberships"."all_stores" or ("memberships"."role" <> 'owner' and "memberships"."summary_language" is null));--> statement-breakpoint
CREATE POLICY "stores" ON "transactions" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "voids" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "menu_item_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "api_keys" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "order_lines" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "orders" p where p.merchant_id = "order_lines".merchant_id and p."id" = "order_lines"."order_id") end);--> statement-breakpoint
CREATE POLICY "stores" ON "orders" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "qr_codes" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "stock_outs" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "ledger_days" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "sale_days" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "transaction_days" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "sale_lines" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "transactions" p where p.merchant_id = "sale_lines".merchant_id and p."uid" = "sale_lines"."transaction_uid") end);--> statement-breakpoint
CREATE POLICY "stores" ON "sale_payments" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "transactions" p where p.merchant_id = "sale_payments".merchant_id and p."uid" = "sale_payments"."transaction_uid") end);--> statement-breakpoint
CREATE POLICY "stores" ON "sales" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "transactions" p where p.merchant_id = "sales".merchant_id and p."uid" = "sales"."transaction_uid") end);--> statement-breakpoint
CREATE POLICY "stores" ON "stored_value_package_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "stores" ON "voucher_campaign_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "invitation_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "invitation_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "membership_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "membership_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON membership_stores, invitation_stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (all_stores) ON memberships TO loyalty_app;
--> statement-breakpoint
-- With each membership come its stores, so that the limit holds from the next request on; they are empty for all stores.
DROP FUNCTION staff_session;
--> statement-breakpoint
CREATE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz) RETURNS TABLE (
  session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role,
  all_stores boolean, store_ids uuid[], confirmed_at timestamptz
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE staff_sessions s SET last_seen_at = at
  WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.last_seen_at < seen_before AND s.expires_at > at
    AND s.confirmed_at IS NOT NULL;
  RETURN QUERY
    SELECT s.id, u.id, u.name, u.email, m.id, m.name, p.role, p.all_stores,
      ARRAY(SELECT t.store_id FROM membership_stores t WHERE t.merchant_id = p.merchant_id AND t.user_id = p.user_id),
      s.confirmed_at::timestamptz
    FROM staff_sessions s
    JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    LEFT JOIN memberships p ON p.user_id = u.id
    LEFT JOIN merchants m ON m.id = p.merchant_id
    WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.expires_at > at AND s.confirmed_at IS NOT NULL
    ORDER BY m.name, m.id;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION staff_session FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION staff_session TO loyalty_app;
