-- expand
ALTER TABLE "api_keys" ADD COLUMN "sign_ups" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "sign_ups_on" date;--> statement-breakpoint
GRANT UPDATE (sign_ups, sign_ups_on) ON api_keys TO loyalty_app;
