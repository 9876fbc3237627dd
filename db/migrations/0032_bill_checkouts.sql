-- expand
ALTER TABLE "bill_payments" ADD COLUMN "guest_id" uuid;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "guest_name" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "checkout_id" text;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "checkout_url" text;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "checkout_ended" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "returned_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "refund_refused_at" timestamp (3) with time zone;
--> statement-breakpoint
GRANT UPDATE (checkout_id, checkout_url, checkout_ended, returned_at, refund_refused_at) ON bill_payments TO loyalty_app;
--> statement-breakpoint
CREATE FUNCTION unsettled_bill_payments(before timestamptz, refused_before timestamptz, most integer) RETURNS TABLE (
  merchant_id uuid, bill_payment_id uuid
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.merchant_id, p.id FROM bill_payments p JOIN merchants m ON m.id = p.merchant_id
  WHERE (NOT p.checkout_ended
      OR (p.state = 'taken' AND p.amount + p.tip - p.kept_amount - p.kept_tip > p.returned_amount))
    AND (p.state <> 'held' OR p.created_at < before + make_interval(secs => m.clock_ahead_seconds))
    AND (p.refund_refused_at IS NULL OR p.refund_refused_at < refused_before)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = p.merchant_id)
  ORDER BY p.created_at LIMIT most
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION unsettled_bill_payments FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION unsettled_bill_payments TO loyalty_app;
--> statement-breakpoint
CREATE FUNCTION forgotten_bills(before timestamptz, most integer) RETURNS TABLE (merchant_id uuid, bill_uid uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT b.merchant_id, b.id FROM bills b JOIN merchants m ON m.id = b.merchant_id
  WHERE b.state = 'open' AND b.paid_amount > 0
    AND b.updated_at <= before + make_interval(secs => m.clock_ahead_seconds)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = b.merchant_id)
  ORDER BY b.updated_at LIMIT most
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION forgotten_bills FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forgotten_bills TO loyalty_app;
