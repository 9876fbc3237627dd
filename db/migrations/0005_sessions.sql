CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"session_version" integer NOT NULL,
	"browser" text NOT NULL,
	"network" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_sessions_token" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "staff_sessions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "language" text;
--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "staff_sessions_user" ON "staff_sessions" USING btree ("user_id","last_seen_at");
--> statement-breakpoint
CREATE INDEX "staff_sessions_last_seen" ON "staff_sessions" USING btree ("last_seen_at");
--> statement-breakpoint
CREATE POLICY "person" ON "staff_sessions" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
--> statement-breakpoint
-- A session ends by being deleted, and nothing else of it changes; when it was last used is written by the function below.
GRANT SELECT, INSERT, DELETE ON staff_sessions TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (language) ON users TO loyalty_app;
--> statement-breakpoint
-- A cookie names no person: only the session itself, and only by its token's hash, with the person's current memberships;
-- a person without any has one row. A session ends with its time, when it was not used since `active_since`, and with the
-- person's version. When it was used is noted if it was noted before `seen_before` for the last time (NULL: not at all).
-- The note never brings a session back that is being deleted.
CREATE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz) RETURNS TABLE (
  session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE staff_sessions s SET last_seen_at = at
  WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.last_seen_at < seen_before AND s.expires_at > at;
  RETURN QUERY
    SELECT s.id, u.id, u.name, u.email, m.id, m.name, p.role
    FROM staff_sessions s
    JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    LEFT JOIN memberships p ON p.user_id = u.id
    LEFT JOIN merchants m ON m.id = p.merchant_id
    WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.expires_at > at
    ORDER BY m.name, m.id;
END $$;
--> statement-breakpoint
-- Deletes at most `most` sessions that were not used since `before`. Answers how many it deleted.
CREATE FUNCTION forget_staff_sessions(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH deleted AS (
    DELETE FROM staff_sessions WHERE ctid = ANY (ARRAY(SELECT ctid FROM staff_sessions WHERE last_seen_at < before LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
-- A person's memberships are found with the session.
DROP FUNCTION staff_memberships(uuid);
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION staff_session, forget_staff_sessions FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION staff_session, forget_staff_sessions TO loyalty_app;
