-- A void is now summed with what it reverses. The worker sums all entries again; until then reports read them directly.
DELETE FROM "ledger_days";
--> statement-breakpoint
UPDATE "report_progress" SET "entry_id" = 0;
--> statement-breakpoint
ALTER TABLE "ledger_days" DROP COLUMN "voided";
