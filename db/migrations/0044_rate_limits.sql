CREATE TABLE "rate_buckets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL,
	"full_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_per_second" integer DEFAULT 50 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_burst" integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rate" CHECK ("api_keys"."rate_per_second" between 1 and 50000 and "api_keys"."rate_burst" between 1 and 50000);