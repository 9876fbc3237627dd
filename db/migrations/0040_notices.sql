CREATE TABLE "message_templates" (
	"merchant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"template_name" text NOT NULL,
	"body" text NOT NULL,
	"is_on" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "message_templates_merchant_id_kind_language_pk" PRIMARY KEY("merchant_id","kind","language")
);
--> statement-breakpoint
ALTER TABLE "message_templates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "messages_opted_out_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "notice_kinds" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "quiet_from" text DEFAULT '21:00';--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "quiet_until" text DEFAULT '09:00';--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "reminded_through" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "message_templates" ADD CONSTRAINT "message_templates_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lots_bonus_expiring" ON "lots" USING btree ("merchant_id","expires_at","customer_id") WHERE open and part = 'bonus' and expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_subject" ON "messages" USING btree ("merchant_id","customer_id","kind","subject") WHERE subject is not null;--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" USING btree ("merchant_id","due_at") WHERE state = 'queued' and due_at is not null;--> statement-breakpoint
CREATE INDEX "vouchers_expiring" ON "vouchers" USING btree ("merchant_id","expires_at","customer_id") WHERE redeemed_at is null and cancelled_at is null and expires_at is not null;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_quiet_hours" CHECK (("merchants"."quiet_from" is null) = ("merchants"."quiet_until" is null) and "merchants"."quiet_from" <> "merchants"."quiet_until"
        and "merchants"."quiet_from" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "merchants"."quiet_until" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_notice" CHECK (("messages"."subject" is null) = ("messages"."due_at" is null));--> statement-breakpoint
CREATE POLICY "tenant" ON "message_templates" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);