ALTER TABLE "scheduled_tasks" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "mails" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "password_resets" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "rate_buckets" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "throttles" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "shared" ON "scheduled_tasks" AS PERMISSIVE FOR ALL TO public USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "anyone_reads" ON "mails" AS PERMISSIVE FOR SELECT TO public USING (true);
--> statement-breakpoint
CREATE POLICY "anyone_queues" ON "mails" AS PERMISSIVE FOR INSERT TO public WITH CHECK ("mails"."state" in ('queued', 'inbox'));
--> statement-breakpoint
CREATE POLICY "queued_changes" ON "mails" AS PERMISSIVE FOR UPDATE TO public USING ("mails"."state" = 'queued') WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "anyone_forgets" ON "mails" AS PERMISSIVE FOR DELETE TO public USING (true);
--> statement-breakpoint
CREATE POLICY "person" ON "password_resets" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "anyone_reads" ON "rate_buckets" AS PERMISSIVE FOR SELECT TO public USING (true);
--> statement-breakpoint
CREATE POLICY "full_ones_end" ON "rate_buckets" AS PERMISSIVE FOR DELETE TO public USING ("rate_buckets"."full_at" <= now());
--> statement-breakpoint
CREATE POLICY "shared" ON "throttles" AS PERMISSIVE FOR ALL TO public USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "anyone_reads" ON "users" AS PERMISSIVE FOR SELECT TO public USING (true);
--> statement-breakpoint
CREATE POLICY "anyone_joins" ON "users" AS PERMISSIVE FOR INSERT TO public WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "person_changes" ON "users" AS PERMISSIVE FOR UPDATE TO public USING (id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (id = nullif(current_setting('app.user_id', true), '')::uuid);
--> statement-breakpoint
-- The hash of a password is read by the function below alone, one person's at a time.
REVOKE SELECT ON users FROM loyalty_app;
--> statement-breakpoint
GRANT SELECT (id, email, name, session_version, language, created_at) ON users TO loyalty_app;
--> statement-breakpoint
-- A person signs in by their address, before anything else of them is known.
CREATE FUNCTION staff_password(address text) RETURNS TABLE (
  user_id uuid, name text, email text, password_hash text, session_version integer, language text
) LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT u.id, u.name, u.email, u.password_hash, u.session_version, u.language FROM users u WHERE u.email = address
$$;
--> statement-breakpoint
-- A link names no person: only the link itself, and only by its token's hash. It ends with the person's version.
CREATE FUNCTION password_reset_by_token(hash bytea, at timestamptz) RETURNS TABLE (
  user_id uuid, email text, merchant_names text[]
) LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT u.id, u.email, ARRAY(SELECT m.name FROM memberships p JOIN merchants m ON m.id = p.merchant_id WHERE p.user_id = u.id)
  FROM password_resets r
  JOIN users u ON u.id = r.user_id AND u.session_version = r.session_version
  WHERE r.token_hash = hash AND r.expires_at > at
$$;
--> statement-breakpoint
-- Deletes at most `most` links that ended by `before`. Answers how many it deleted.
CREATE FUNCTION forget_password_resets(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH deleted AS (
    DELETE FROM password_resets
    WHERE token_hash = ANY (ARRAY(SELECT r.token_hash FROM password_resets r WHERE r.expires_at <= before LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION staff_password, password_reset_by_token, forget_password_resets FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION staff_password, password_reset_by_token, forget_password_resets TO loyalty_app;
