-- expand
ALTER TABLE "merchants" ADD COLUMN "sign_up_needs_phone" boolean DEFAULT false NOT NULL;
