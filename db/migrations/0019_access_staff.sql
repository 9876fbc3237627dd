GRANT INSERT ON users, memberships TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, password_hash, session_version) ON users TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (role), DELETE ON memberships TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON invitations, password_resets, mails TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (token_hash, mail_id, expires_at) ON invitations TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (letter, state, failure, updated_at) ON mails TO loyalty_app;
--> statement-breakpoint
-- A link names no merchant: only the invitation itself, and only by its token's hash.
CREATE FUNCTION invitation_by_token(hash bytea) RETURNS TABLE (merchant_id uuid, invitation_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT i.merchant_id, i.id FROM invitations i WHERE i.token_hash = hash
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION invitation_by_token(bytea) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION invitation_by_token(bytea) TO loyalty_app;
