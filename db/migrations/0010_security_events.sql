-- Writes an entry about a person in the audit log of each merchant that they work for, by each merchant's clock, from which its
-- id begins as those of the application do (UUIDv7). It can only add, and only what the application may add anyway.
CREATE FUNCTION audit_person(person uuid, by_person boolean, done text, details text, at timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO audit_log (merchant_id, id, actor_kind, actor_id, action, subject_kind, subject_id, after, created_at)
  SELECT m.id,
    (lpad(to_hex(floor(extract(epoch FROM here.now) * 1000)::bigint), 12, '0') || '7'
      || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
    CASE WHEN by_person THEN 'staff' ELSE 'service' END, CASE WHEN by_person THEN person END,
    done, 'user', person::text, details, here.now
  FROM memberships p
  JOIN merchants m ON m.id = p.merchant_id
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) here
  WHERE p.user_id = person
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION audit_person FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION audit_person TO loyalty_app;
