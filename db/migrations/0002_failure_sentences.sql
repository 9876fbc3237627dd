-- Why a message failed was kept in English; now it is the key of a sentence, and what fills its gaps. What is none of ours
-- stays in its words.
CREATE FUNCTION pg_temp.sentence(said text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT coalesce(
    (
      SELECT jsonb_build_object('key', key, 'values', '{}'::jsonb)
      FROM (VALUES
        ('pinReplaced', 'replaced by a newer PIN'),
        ('codeReplaced', 'replaced by a newer code'),
        ('customerErased', 'the customer was erased'),
        ('givenUp', 'given up after a day'),
        ('tooLate', 'its time was over'),
        ('codeUnreadable', 'the code can not be read any more'),
        ('phoneGone', 'no phone number any more'),
        ('noMessageId', 'an answer without a message id'),
        ('noConnection', 'no connection'),
        ('wantsNoMessages', 'the customer wants no messages'),
        ('kindSwitchedOff', 'messages of this kind were switched off'),
        ('notSoAnyMore', 'what it tells is not so any more')
      ) AS known (key, words)
      WHERE words = said
    ),
    CASE
      WHEN said ~ '^HTTP \d+$' THEN jsonb_build_object(
        'key', 'httpError', 'values', jsonb_build_object('status', substring(said, '\d+')))
      WHEN said ~ '^HTTP \d+, WhatsApp error \d+$' THEN jsonb_build_object(
        'key', 'whatsappErrorOverHttp',
        'values', jsonb_build_object('status', substring(said, '\d+'), 'code', substring(said, '\d+$')))
      WHEN said ~ '^WhatsApp error \w+$' THEN jsonb_build_object(
        'key', 'whatsappError', 'values', jsonb_build_object('code', substring(said, '\w+$')))
      ELSE jsonb_build_object('key', 'verbatim', 'values', jsonb_build_object('text', said))
    END
  )
$$;
--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "failure" SET DATA TYPE jsonb USING pg_temp.sentence("failure");
--> statement-breakpoint
CREATE OR REPLACE FUNCTION give_up_messages(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE messages g SET state = 'failed', secret = NULL, failure = '{"key": "givenUp", "values": {}}',
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND state = 'queued' AND g.due_at IS NULL
    AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
$$;
--> statement-breakpoint
DROP FUNCTION record_delivery_receipt(text, message_state, text);
--> statement-breakpoint
CREATE FUNCTION record_delivery_receipt(provider text, new_state message_state, reason jsonb) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE messages g SET state = new_state, failure = reason,
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND provider_id = provider
    AND (state = 'sent' AND new_state IN ('delivered', 'read', 'failed') OR state = 'delivered' AND new_state = 'read');
  SELECT EXISTS (SELECT FROM messages WHERE provider_id = provider);
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION record_delivery_receipt FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION record_delivery_receipt TO loyalty_app;
