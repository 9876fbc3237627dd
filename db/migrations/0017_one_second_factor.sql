-- What counts as a second factor. It runs as its caller: the service asks about the transaction's person only.
CREATE FUNCTION has_second_factor(person uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM authenticators a WHERE a.user_id = person) OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = person)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION has_second_factor FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION has_second_factor TO loyalty_app;
--> statement-breakpoint
-- Who of the transaction's merchant has a second factor: no more than that is told about them.
CREATE OR REPLACE FUNCTION members_with_second_factor(merchant uuid) RETURNS TABLE (user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.user_id FROM memberships p
  WHERE p.merchant_id = merchant AND p.merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND has_second_factor(p.user_id)
$$;
--> statement-breakpoint
-- Whether the person works for the transaction's merchant, and for no other.
CREATE OR REPLACE FUNCTION works_only_at(person uuid, merchant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(bool_and(p.merchant_id = merchant AND p.merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid), false)
  FROM memberships p WHERE p.user_id = person
$$;
--> statement-breakpoint
-- As before: from when on each merchant demands a second factor that the person lacks.
CREATE OR REPLACE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz) RETURNS TABLE (
  session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role,
  all_stores boolean, store_ids uuid[], confirmed_at timestamptz, second_factor_from timestamptz
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE staff_sessions s SET last_seen_at = at
  WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.last_seen_at < seen_before AND s.expires_at > at
    AND s.confirmed_at IS NOT NULL;
  RETURN QUERY
    SELECT s.id, u.id, u.name, u.email, m.id, m.name, p.role, p.all_stores,
      ARRAY(SELECT t.store_id FROM membership_stores t WHERE t.merchant_id = p.merchant_id AND t.user_id = p.user_id),
      s.confirmed_at::timestamptz,
      CASE
        WHEN m.second_factor_of = 'everybody' OR m.second_factor_of = 'managers' AND p.role <> 'cashier'
          OR m.second_factor_of = 'owners' AND p.role = 'owner'
        THEN CASE WHEN NOT has_second_factor(u.id) THEN m.second_factor_from::timestamptz END
      END
    FROM staff_sessions s
    JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    LEFT JOIN memberships p ON p.user_id = u.id
    LEFT JOIN merchants m ON m.id = p.merchant_id
    WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.expires_at > at AND s.confirmed_at IS NOT NULL
    ORDER BY m.name, m.id;
END $$;
