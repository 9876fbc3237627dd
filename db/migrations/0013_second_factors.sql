CREATE TABLE "authenticators" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"last_step" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authenticators" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
ALTER TABLE "recovery_codes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD COLUMN "confirmed_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "authenticators" ADD CONSTRAINT "authenticators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE POLICY "person" ON "authenticators" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "person" ON "recovery_codes" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
--> statement-breakpoint
-- A session that began before there were second steps has passed its only one.
UPDATE staff_sessions SET confirmed_at = created_at;
--> statement-breakpoint
-- A session is confirmed, and then lasts; nothing else of it changes.
GRANT UPDATE (confirmed_at, expires_at) ON staff_sessions TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE, UPDATE (last_step, last_used_at) ON authenticators TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON recovery_codes TO loyalty_app;
--> statement-breakpoint
-- As before, but a session that still waits for the second step is none.
DROP FUNCTION staff_session;
--> statement-breakpoint
CREATE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz) RETURNS TABLE (
  session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role,
  confirmed_at timestamptz
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE staff_sessions s SET last_seen_at = at
  WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.last_seen_at < seen_before AND s.expires_at > at
    AND s.confirmed_at IS NOT NULL;
  RETURN QUERY
    SELECT s.id, u.id, u.name, u.email, m.id, m.name, p.role, s.confirmed_at::timestamptz
    FROM staff_sessions s
    JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    LEFT JOIN memberships p ON p.user_id = u.id
    LEFT JOIN merchants m ON m.id = p.merchant_id
    WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.expires_at > at AND s.confirmed_at IS NOT NULL
    ORDER BY m.name, m.id;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION staff_session FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION staff_session TO loyalty_app;
