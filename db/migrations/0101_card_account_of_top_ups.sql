-- expand
ALTER TABLE "top_up_requests" ADD COLUMN "card_account_id" text;
