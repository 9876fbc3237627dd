DROP INDEX "voucher_issues_campaign";--> statement-breakpoint
CREATE INDEX "voucher_issues_campaign" ON "voucher_issues" USING btree ("merchant_id","campaign_id","created_at");--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_seasonal" CHECK (("voucher_campaigns"."trigger" = 'seasonal') = ("voucher_campaigns"."seasonal_on" is not null));