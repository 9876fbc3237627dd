-- expand
ALTER TABLE "bill_payments" ADD COLUMN "payment_id" text;--> statement-breakpoint
GRANT UPDATE (payment_id) ON bill_payments TO loyalty_app;--> statement-breakpoint
CREATE FUNCTION purpose_of_payment(payment text)
RETURNS TABLE (merchant_id uuid, top_up_request_id uuid, bill_payment_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT r.merchant_id, r.id, NULL::uuid FROM top_up_requests r WHERE r.payment_id = payment
  UNION ALL
  SELECT p.merchant_id, NULL::uuid, p.id FROM bill_payments p WHERE p.payment_id = payment
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION purpose_of_payment FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION purpose_of_payment TO loyalty_app;
