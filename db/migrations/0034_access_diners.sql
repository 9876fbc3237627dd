GRANT SELECT, INSERT, DELETE ON diner_codes, diner_sessions TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (id, hash, failures, sent_at, expires_at) ON diner_codes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id, expires_at) ON diner_sessions TO loyalty_app;
--> statement-breakpoint
-- What was sent to a phone is the customer's who has it, once that customer is to be forgotten.
GRANT UPDATE (customer_id, phone) ON messages TO loyalty_app;
--> statement-breakpoint
-- Deletes, for all merchants, the codes and sessions that have ended, and what was sent before `before` to phones of nobody.
CREATE FUNCTION forget_diners(ended timestamptz, before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  DELETE FROM diner_codes WHERE expires_at <= ended;
  DELETE FROM diner_sessions WHERE expires_at <= ended;
  DELETE FROM messages WHERE phone IS NOT NULL AND created_at < before;
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION forget_diners(timestamptz, timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forget_diners(timestamptz, timestamptz) TO loyalty_app;
