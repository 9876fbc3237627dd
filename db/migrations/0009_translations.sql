ALTER TABLE "stored_value_packages" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
GRANT UPDATE (translations) ON stored_value_packages TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (translations) ON voucher_campaigns TO loyalty_app;
