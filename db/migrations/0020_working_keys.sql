-- expand
-- As before, without keys of closed merchants: they don't work.
CREATE OR REPLACE FUNCTION has_working_keys(kind api_environment) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM api_keys k JOIN merchants m ON m.id = k.merchant_id AND m.closed_at IS NULL
    WHERE k.environment = kind AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))
$$;
