CREATE TABLE "job_runs" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task" text NOT NULL,
	"requested_by" uuid,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"done" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"error" text,
	CONSTRAINT "job_runs_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "job_runs_error" CHECK (("job_runs"."error" is null) = ("job_runs"."failures" = 0))
);
--> statement-breakpoint
ALTER TABLE "job_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "scheduled_tasks" (
	"task" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"done" integer,
	"error" text
);
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "clock_ahead_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "clock_moved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job_runs" ADD CONSTRAINT "job_runs_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_runs_task" ON "job_runs" USING btree ("merchant_id","task","id");--> statement-breakpoint
CREATE INDEX "job_runs_updated_at" ON "job_runs" USING btree ("updated_at");--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_clock" CHECK ("merchants"."clock_ahead_seconds" between 0 and 63244800);--> statement-breakpoint
CREATE POLICY "tenant" ON "job_runs" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);