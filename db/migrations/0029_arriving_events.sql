-- contract, for releases since 0026_forget_events_in_time
-- The order of events is that of the database transactions of one PostgreSQL (ADR 31). Those that arrive with a merchant
-- keep theirs, and come before all that is written here from then on: no PostgreSQL counts to 2^40. Fires for rows that a
-- subscription writes, and for no others.
CREATE FUNCTION place_before_own_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.xid := NEW.xid - (1::bigint << 40);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER arriving BEFORE INSERT OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION place_before_own_events();
--> statement-breakpoint
ALTER TABLE events ENABLE REPLICA TRIGGER arriving;
--> statement-breakpoint
-- No release since 0022_events calls them.
DROP FUNCTION authenticate_api_key;
--> statement-breakpoint
DROP FUNCTION end_stock_outs;
