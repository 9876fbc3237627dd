-- expand
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scopes",
ADD CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['ordering', 'bills', 'loyalty', 'webhooks']
        and ("api_keys"."store_id" is null or not "api_keys"."scopes" @> array['webhooks'])) NOT VALID;
