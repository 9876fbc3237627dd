-- contract, for releases since 0026_forget_events_in_time
-- How far an endpoint is stays at the same event (0029_arriving_events).
CREATE FUNCTION place_at_moved_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.queued_xid := NEW.queued_xid - (1::bigint << 40);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER arriving BEFORE INSERT OR UPDATE ON webhook_endpoints
FOR EACH ROW EXECUTE FUNCTION place_at_moved_event();
--> statement-breakpoint
ALTER TABLE webhook_endpoints ENABLE REPLICA TRIGGER arriving;
