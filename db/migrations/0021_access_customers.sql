GRANT DELETE ON customer_pins TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (blocked_at) ON balances TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON adjustments TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON customer_terms TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON customer_imports TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (state, mapping, row_count, done_through, enrolled_count, problem_count, started_at, updated_at, finished_at)
  ON customer_imports TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON customer_import_rows TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (problems) ON customer_import_rows TO loyalty_app;
--> statement-breakpoint
-- As people type it: without accents, case and punctuation. `foldName` of server/domain/customers/search.ts is its twin.
CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), '[''’.]', '', 'g'), '[\s,/_-]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- The terms that a customer is searched by: the name from each of its words on, with those before it at the end; as one
-- word, family name first, where it is written without spaces; the e-mail address; the phone's digits, then those without
-- the country's calling code, then all of them backwards behind a `<`.
CREATE FUNCTION customer_terms_of(given_name text, last_name text, phone text, email text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT left(term, 100) FROM (
    SELECT array_to_string(words[at:] || words[:at - 1], ' ')
    FROM (SELECT string_to_array(fold_name(given_name || ' ' || last_name), ' ') AS words) n,
      generate_series(1, least(cardinality(words), 8)) at
    UNION ALL SELECT fold_name(last_name || given_name) WHERE last_name || given_name ~ '[\u3040-\u9fff\uac00-\ud7a3]'
    UNION ALL SELECT lower(email)
    UNION ALL SELECT digits FROM (SELECT ltrim(phone, '+') AS digits) p
    UNION ALL SELECT substr(digits, 1 + CASE
        WHEN digits ~ '^[17]' THEN 1
        WHEN digits ~ '^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])' THEN 2
        ELSE 3
      END) FROM (SELECT ltrim(phone, '+') AS digits) p
    UNION ALL SELECT '<' || reverse(digits) FROM (SELECT ltrim(phone, '+') AS digits) p
  ) terms (term) WHERE term <> ''
$$;
--> statement-breakpoint
CREATE FUNCTION index_new_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customer_terms (merchant_id, term, customer_id)
  SELECT n.merchant_id, t.term, n.id
  FROM new_rows n CROSS JOIN LATERAL customer_terms_of(n.given_name, n.last_name, n.phone, n.email) AS t (term);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION index_changed_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM customer_terms WHERE merchant_id = new.merchant_id AND customer_id = new.id
    AND term = ANY (ARRAY(SELECT customer_terms_of(old.given_name, old.last_name, old.phone, old.email)));
  INSERT INTO customer_terms (merchant_id, term, customer_id)
  SELECT new.merchant_id, t.term, new.id
  FROM customer_terms_of(new.given_name, new.last_name, new.phone, new.email) AS t (term)
  WHERE new.erased_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER index_new AFTER INSERT ON customers REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION index_new_customers();
--> statement-breakpoint
CREATE TRIGGER index_changed AFTER UPDATE OF given_name, last_name, phone, email, erased_at ON customers
  FOR EACH ROW EXECUTE FUNCTION index_changed_customer();
--> statement-breakpoint
INSERT INTO customer_terms (merchant_id, term, customer_id)
  SELECT c.merchant_id, t.term, c.id
  FROM customers c CROSS JOIN LATERAL customer_terms_of(c.given_name, c.last_name, c.phone, c.email) AS t (term);
--> statement-breakpoint
-- Imports that nobody has carried on with since `before`, of all merchants: their worker is gone, or has not begun.
CREATE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (merchant_id uuid, import_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i
  WHERE i.finished_at IS NULL AND i.state = 'running' AND i.updated_at < before
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
-- Deletes the rows of files that were uploaded before `before`, for all merchants: personal data is not kept for longer.
CREATE FUNCTION forget_customer_imports(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  DELETE FROM customer_import_rows r USING customer_imports i
  WHERE i.merchant_id = r.merchant_id AND i.id = r.import_id AND i.state <> 'running' AND i.created_at < before
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION stalled_customer_imports(timestamptz), forget_customer_imports(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION stalled_customer_imports(timestamptz), forget_customer_imports(timestamptz) TO loyalty_app;
