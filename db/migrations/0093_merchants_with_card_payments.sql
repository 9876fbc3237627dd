-- expand
CREATE FUNCTION merchants_with_card_payments(since timestamptz, first_id uuid)
RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE (
      EXISTS (
        SELECT FROM top_up_requests r WHERE r.merchant_id = m.id AND r.id >= first_id AND r.payment_id IS NOT NULL)
      OR EXISTS (SELECT FROM bill_payments p WHERE p.merchant_id = m.id AND p.state = 'taken' AND p.taken_at >= since))
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION merchants_with_card_payments FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION merchants_with_card_payments TO loyalty_app;
