-- expand, one statement at a time
ALTER TABLE "bill_payments" VALIDATE CONSTRAINT "bill_payments_points_due";
