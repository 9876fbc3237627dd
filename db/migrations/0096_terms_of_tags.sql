-- expand
-- A tag is a term, too, so that the list of customers can be filtered by it. The triggers on customers stay: whoever changes
-- tags sets the names with them.
CREATE FUNCTION customer_tag_terms(tags text[]) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT E'\x01' || lower(tag) FROM unnest(tags) tag
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_new_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customer_terms (merchant_id, term, customer_id)
  SELECT n.merchant_id, t.term, n.id
  FROM new_rows n CROSS JOIN LATERAL (
    SELECT customer_terms_of(n.given_name, n.last_name, n.phone, n.email) UNION ALL SELECT customer_tag_terms(n.tags)
  ) AS t (term);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_changed_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM customer_terms WHERE merchant_id = new.merchant_id AND customer_id = new.id
    AND term = ANY (ARRAY(
      SELECT customer_terms_of(old.given_name, old.last_name, old.phone, old.email)
      UNION ALL SELECT customer_tag_terms(old.tags)));
  INSERT INTO customer_terms (merchant_id, term, customer_id)
  SELECT new.merchant_id, t.term, new.id
  FROM (
    SELECT customer_terms_of(new.given_name, new.last_name, new.phone, new.email)
    UNION ALL SELECT customer_tag_terms(new.tags)
  ) AS t (term)
  WHERE new.erased_at IS NULL
  -- Tags that were written before this migration have no terms yet.
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
