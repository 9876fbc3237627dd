ALTER TABLE "customers" DROP CONSTRAINT "customers_merchant_id_merged_into_customers_merchant_id_id_fk";
--> statement-breakpoint
DROP INDEX "customers_merged";--> statement-breakpoint
ALTER TABLE "balances" DROP COLUMN "merged_at";--> statement-breakpoint
ALTER TABLE "customers" DROP COLUMN "merged_into";--> statement-breakpoint
-- Nothing changes whose a voucher, a note or a top-up begun on a phone is.
REVOKE UPDATE (customer_id, occasion) ON vouchers FROM loyalty_app;
--> statement-breakpoint
REVOKE UPDATE (customer_id) ON customer_notes FROM loyalty_app;
--> statement-breakpoint
REVOKE UPDATE (customer_id) ON top_up_requests FROM loyalty_app;
