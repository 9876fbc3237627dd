-- expand, one statement at a time
-- The one of 0098. Without this line, the file would have the hash of 0052, and count as applied.
ALTER TABLE api_keys VALIDATE CONSTRAINT api_keys_scopes;
