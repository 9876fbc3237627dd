-- Whether any merchant has a key of this environment that works: a service of the other one does not start.
CREATE FUNCTION has_working_keys(kind api_environment) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM api_keys k WHERE k.environment = kind AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION has_working_keys FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION has_working_keys TO loyalty_app;
