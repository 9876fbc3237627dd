-- expand
ALTER TABLE "bill_payments" ADD COLUMN "points_due_for" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bill_payments" ADD COLUMN "points_kept_for" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bill_payments" ADD CONSTRAINT "bill_payments_points_due" CHECK (least("bill_payments"."points_due_for", "bill_payments"."points_kept_for") >= 0 and "bill_payments"."points_due_for" + "bill_payments"."points_kept_for" <= "bill_payments"."amount" - "bill_payments"."kept_amount") NOT VALID;
--> statement-breakpoint
GRANT UPDATE (points_due_for, points_kept_for) ON bill_payments TO loyalty_app;
