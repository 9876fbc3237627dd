-- Merchant by merchant: a join would read the messages of all strangers to find those of thirty days ago.
CREATE OR REPLACE FUNCTION forget_diners(ended timestamptz, before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM diner_codes WHERE expires_at <= ended;
  DELETE FROM diner_sessions WHERE expires_at <= ended;
  DELETE FROM messages WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM merchants m
    CROSS JOIN LATERAL (
      SELECT g.ctid AS place FROM messages g
      WHERE g.merchant_id = m.id AND g.phone IS NOT NULL
        AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
      OFFSET 0
    ) old
  ));
$$;
--> statement-breakpoint
-- Anniversaries go by the day of joining now, not by id: those under way begin anew, and nobody has a voucher twice.
UPDATE voucher_issues SET done_through = NULL WHERE audience = 'anniversary' AND finished_at IS NULL;
