-- expand
ALTER TABLE "api_keys" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['ordering', 'bills', 'loyalty']) NOT VALID;
--> statement-breakpoint
GRANT UPDATE (scopes) ON api_keys TO loyalty_app;
