-- expand, one statement at a time
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_cashier_vouchers";
