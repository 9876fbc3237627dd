-- Answers now whether the message is known, for a receipt may be quicker than our own note of its id.
DROP FUNCTION record_delivery_receipt(text, message_state, text);
--> statement-breakpoint
CREATE FUNCTION record_delivery_receipt(provider text, new_state message_state, reason text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE messages SET state = new_state, failure = reason, updated_at = now()
  WHERE provider_id = provider
    AND (state = 'sent' AND new_state IN ('delivered', 'read', 'failed') OR state = 'delivered' AND new_state = 'read');
  SELECT EXISTS (SELECT FROM messages WHERE provider_id = provider);
$$;
--> statement-breakpoint
-- What has waited since before `before` is given up for all merchants, and its code erased.
CREATE FUNCTION give_up_messages(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE messages SET state = 'failed', secret = NULL, failure = 'given up after a day', updated_at = now()
  WHERE state = 'queued' AND created_at < before
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION record_delivery_receipt(text, message_state, text), give_up_messages(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION record_delivery_receipt(text, message_state, text), give_up_messages(timestamptz) TO loyalty_app;
