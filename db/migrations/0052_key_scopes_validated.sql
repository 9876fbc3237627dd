-- expand, one statement at a time
ALTER TABLE api_keys VALIDATE CONSTRAINT api_keys_scopes;
