-- expand
ALTER TABLE "customers" ADD COLUMN "sign_up_vouchers_due" boolean DEFAULT false NOT NULL;
