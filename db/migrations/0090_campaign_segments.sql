-- expand
ALTER TABLE "voucher_campaigns" ADD COLUMN "min_visits" integer;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "not_seen_days" integer;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "bought_plus" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "bought_category_id" uuid;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "birth_month" smallint;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD COLUMN "tag" text;--> statement-breakpoint
GRANT UPDATE (min_visits, not_seen_days, bought_plus, bought_category_id, birth_month, tag) ON voucher_campaigns TO loyalty_app;
