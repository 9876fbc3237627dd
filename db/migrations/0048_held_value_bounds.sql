ALTER TABLE "voucher_issues" DROP CONSTRAINT "voucher_issues_occasion";--> statement-breakpoint
ALTER TABLE "balances" DROP CONSTRAINT "balances_principal";--> statement-breakpoint
ALTER TABLE "balances" DROP CONSTRAINT "balances_bonus";--> statement-breakpoint
ALTER TABLE "balances" DROP CONSTRAINT "balances_points";--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD CONSTRAINT "voucher_issues_occasion" UNIQUE("merchant_id","campaign_id","audience","occasion_on");--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_principal" CHECK (principal between 0 and 1000000000000000);--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_bonus" CHECK (bonus between 0 and 1000000000000000);--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_points" CHECK (points between 0 and 900000000000);