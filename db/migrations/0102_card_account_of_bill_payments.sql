-- expand
ALTER TABLE "bill_payments" ADD COLUMN "card_account_id" text;
