-- expand
ALTER TABLE "merchants" ADD COLUMN "card_account_id" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "card_account_state" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_card_account" CHECK (("merchants"."card_account_id" is null) = ("merchants"."card_account_state" is null)
        and "merchants"."card_account_state" in ('onboarding', 'active', 'restricted', 'disconnected')) NOT VALID;--> statement-breakpoint
GRANT UPDATE (card_account_id, card_account_state) ON merchants TO loyalty_app;--> statement-breakpoint
CREATE FUNCTION connected_merchants()
RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE m.card_account_id IS NOT NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION connected_merchants FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION connected_merchants TO loyalty_app;--> statement-breakpoint
CREATE FUNCTION merchant_of_card_account(account text)
RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m WHERE m.card_account_id = account
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION merchant_of_card_account FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION merchant_of_card_account TO loyalty_app;
