-- expand
ALTER TABLE "voucher_issues" ADD COLUMN "min_visits" integer;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD COLUMN "not_seen_days" integer;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD COLUMN "bought_plus" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD COLUMN "bought_category_id" uuid;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD COLUMN "birth_month" smallint;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD COLUMN "tag" text;
