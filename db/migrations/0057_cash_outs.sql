-- expand
ALTER TYPE "public"."transaction_type" ADD VALUE 'cashOut';--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cash_out_keeps_bonus" boolean DEFAULT false NOT NULL;--> statement-breakpoint
GRANT UPDATE (cash_out_keeps_bonus) ON merchants TO loyalty_app;
