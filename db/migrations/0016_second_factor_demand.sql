ALTER TABLE "merchants" ADD COLUMN "second_factor_of" text DEFAULT 'nobody' NOT NULL;
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "second_factor_from" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_second_factor" CHECK ("merchants"."second_factor_of" in ('nobody', 'owners', 'managers', 'everybody')
        and ("merchants"."second_factor_of" = 'nobody') = ("merchants"."second_factor_from" is null));
--> statement-breakpoint
GRANT UPDATE (second_factor_of, second_factor_from) ON merchants TO loyalty_app;
--> statement-breakpoint
-- Who at the merchant has a second factor: no more than that is told about them.
CREATE FUNCTION members_with_second_factor(merchant uuid) RETURNS TABLE (user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.user_id FROM memberships p
  WHERE p.merchant_id = merchant AND (
    EXISTS (SELECT FROM authenticators a WHERE a.user_id = p.user_id) OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = p.user_id))
$$;
--> statement-breakpoint
-- Whether the person works for that merchant and for no other.
CREATE FUNCTION works_only_at(person uuid, merchant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(bool_and(p.merchant_id = merchant), false) FROM memberships p WHERE p.user_id = person
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION members_with_second_factor, works_only_at FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION members_with_second_factor, works_only_at TO loyalty_app;
--> statement-breakpoint
-- As before, and from when the person has to have a second factor at the merchant, while they have none.
DROP FUNCTION staff_session;
--> statement-breakpoint
CREATE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz) RETURNS TABLE (
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
      CASE WHEN m.second_factor_of = 'everybody' OR m.second_factor_of = 'managers' AND p.role <> 'cashier'
          OR m.second_factor_of = 'owners' AND p.role = 'owner'
        THEN CASE WHEN NOT EXISTS (SELECT FROM authenticators a WHERE a.user_id = u.id)
            AND NOT EXISTS (SELECT FROM passkeys k WHERE k.user_id = u.id)
          THEN m.second_factor_from::timestamptz END
      END
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
