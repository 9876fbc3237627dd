GRANT UPDATE (uploaded_at) ON menu_photos TO loyalty_app;
--> statement-breakpoint
-- Deletes at most `most` photos that no item has and nobody has uploaded since `before`, for all merchants. They are locked
-- first, so that no item takes one from then on; then looked at again, for one may have before. Answers how many it locked.
CREATE FUNCTION forget_menu_photos(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  locked uuid[];
BEGIN
  locked := ARRAY(
    SELECT p.id FROM menu_photos p
    WHERE p.uploaded_at < before
      AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
    LIMIT most FOR UPDATE OF p SKIP LOCKED);
  DELETE FROM menu_photos p
  WHERE p.id = ANY (locked) AND p.uploaded_at < before
    AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id);
  RETURN cardinality(locked);
END $$;
--> statement-breakpoint
-- Deletes the invitations of all merchants whose links ended before `before`.
CREATE FUNCTION forget_invitations(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  DELETE FROM invitations WHERE expires_at < before
$$;
--> statement-breakpoint
DROP FUNCTION forget_customer_imports(timestamptz);
--> statement-breakpoint
GRANT DELETE ON customer_imports TO loyalty_app;
--> statement-breakpoint
-- Deletes at most `most` rows of files that were uploaded before `before`, for all merchants, and what took the place of
-- headings: personal data is not kept for longer. Answers how many rows it deleted.
CREATE FUNCTION forget_customer_imports(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE customer_imports SET headings = '{}' WHERE state <> 'running' AND created_at < before AND headings <> '{}';
  WITH deleted AS (
    DELETE FROM customer_import_rows WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM customer_imports i
      JOIN customer_import_rows r ON r.merchant_id = i.merchant_id AND r.import_id = i.id
      WHERE i.state <> 'running' AND i.created_at < before
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION forget_menu_photos(timestamptz, integer), forget_invitations(timestamptz),
  forget_customer_imports(timestamptz, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forget_menu_photos(timestamptz, integer), forget_invitations(timestamptz),
  forget_customer_imports(timestamptz, integer) TO loyalty_app;
