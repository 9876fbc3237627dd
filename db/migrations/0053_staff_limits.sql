-- expand
CREATE TABLE "staff_days" (
	"merchant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"value" bigint DEFAULT 0 NOT NULL,
	"points" bigint DEFAULT 0 NOT NULL,
	"vouchers" integer DEFAULT 0 NOT NULL,
	"enrolments" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "staff_days_merchant_id_user_id_day_pk" PRIMARY KEY("merchant_id","user_id","day")
);
--> statement-breakpoint
ALTER TABLE "staff_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_daily_value" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "cashier_daily_enrolments" integer;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "manager_daily_value" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "manager_daily_points" bigint;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "manager_daily_vouchers" integer;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "manager_daily_enrolments" integer;--> statement-breakpoint
ALTER TABLE "staff_days" ADD CONSTRAINT "staff_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_staff_limits" CHECK (least("merchants"."cashier_daily_value", "merchants"."cashier_daily_enrolments", "merchants"."manager_daily_value", "merchants"."manager_daily_points", "merchants"."manager_daily_vouchers", "merchants"."manager_daily_enrolments") > 0) NOT VALID;--> statement-breakpoint
CREATE POLICY "tenant" ON "staff_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
GRANT SELECT, INSERT ON staff_days TO loyalty_app;--> statement-breakpoint
GRANT UPDATE (value, points, vouchers, enrolments) ON staff_days TO loyalty_app;--> statement-breakpoint
GRANT UPDATE (cashier_daily_value, cashier_daily_enrolments, manager_daily_value, manager_daily_points, manager_daily_vouchers, manager_daily_enrolments) ON merchants TO loyalty_app;
