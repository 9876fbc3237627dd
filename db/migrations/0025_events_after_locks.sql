-- expand
ALTER TABLE "events" ALTER COLUMN "xid" SET DEFAULT greatest((pg_current_xact_id()::text)::bigint, (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint - 1);