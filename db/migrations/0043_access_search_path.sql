-- PostgreSQL looks for tables among the session's temporary ones first, unless they are named last: whoever made one called
-- `merchants`, with a trigger, would have it run with the owner's rights.
DO $$
DECLARE
  definer regprocedure;
BEGIN
  FOR definer IN SELECT oid FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', definer);
  END LOOP;
END $$;
