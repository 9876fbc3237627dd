-- What Drizzle does not generate: rights, functions and triggers, by subject. The application works as the role loyalty_app,
-- which the migration has made; it may do no more than it needs, and history can be written once and never changed.

GRANT USAGE ON SCHEMA public TO loyalty_app;
--> statement-breakpoint
-- Tenants
-- -------
-- Functions with the rights of the owner read past row-level security: each finds one thing that is needed before a
-- merchant is known, or does one of the worker's tasks for all merchants. PostgreSQL looks for tables among the session's
-- temporary ones first, unless they are named last: whoever made one called `merchants`, with a trigger, would have it run
-- with the owner's rights. Times that they take are the machine's; a merchant's own clock may be ahead of it (ADR 14).

-- Names the tenant of the running database transaction, and answers it: a statement that starts from this function is at
-- once inside row-level security, in one round trip.
CREATE FUNCTION set_tenant(merchant uuid) RETURNS TABLE (id uuid) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
  PERFORM pg_catalog.set_config('app.merchant_id', merchant::text, true);
  id := merchant;
  RETURN NEXT;
END $$;
--> statement-breakpoint
-- Merchants and keys
-- ------------------

GRANT SELECT ON merchants, api_requests TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON stores, api_keys, audit_log TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  name, currency, country, time_zone, locale, pin_required, balance_limit, earn_points, earn_per_amount, point_value,
  min_redeem_points, points_expiry_months, enrol_on_sale, clock_ahead_seconds, clock_moved_at, notice_kinds,
  quiet_from, quiet_until, reminded_through
) ON merchants TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (store_code, name, last_order_number, closed_at) ON stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (expires_at, revoked_at, rate_per_second, rate_burst) ON api_keys TO loyalty_app;
--> statement-breakpoint
-- A key is looked up before its merchant is known, and only by its hash. A key of a store that is closed is no key.
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, enrol_on_sale boolean, clock_ahead_seconds integer,
  notice_kinds text[], quiet_from text, quiet_until text, rate_per_second integer, rate_burst integer
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.enrol_on_sale,
      m.clock_ahead_seconds, m.notice_kinds, m.quiet_from, m.quiet_until, k.rate_per_second, k.rate_burst
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL;
END $$;
--> statement-breakpoint
-- Requests of all merchants' keys are written together: one statement for many of them.
CREATE FUNCTION record_api_requests(requests json) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO api_requests (merchant_id, api_key_id, id, operation, status, error_code, duration_ms, created_at)
  SELECT "merchantId", "apiKeyId", id, operation, status, "errorCode", "durationMs", "createdAt"
  FROM json_to_recordset(requests) AS request ("merchantId" uuid, "apiKeyId" uuid, id uuid, operation text,
    status smallint, "errorCode" text, "durationMs" real, "createdAt" timestamptz)
$$;
--> statement-breakpoint
-- Deletes at most `most` requests with ids below `before`, but never a key's newest: it says when the key was last used.
-- Answers how many it deleted.
CREATE FUNCTION delete_api_requests(before uuid, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH deleted AS (
    DELETE FROM api_requests WHERE ctid = ANY (ARRAY(
      SELECT old.ctid FROM api_keys k
      CROSS JOIN LATERAL (
        SELECT n.id FROM api_requests n WHERE n.merchant_id = k.merchant_id AND n.api_key_id = k.id
        ORDER BY n.id DESC LIMIT 1
      ) newest
      CROSS JOIN LATERAL (
        SELECT o.ctid FROM api_requests o
        WHERE o.merchant_id = k.merchant_id AND o.api_key_id = k.id AND o.id < before AND o.id < newest.id
        ORDER BY o.id LIMIT most
      ) old
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
-- Staff
-- -----

GRANT SELECT, INSERT ON users TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON memberships, invitations, password_resets, mails TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, password_hash, session_version) ON users TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (role) ON memberships TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (token_hash, mail_id, expires_at) ON invitations TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (letter, state, failure, updated_at) ON mails TO loyalty_app;
--> statement-breakpoint
-- A person signs in before a merchant is chosen: only that person's own memberships.
CREATE FUNCTION staff_memberships(staff_user uuid) RETURNS TABLE (
  merchant_id uuid, merchant_name text, role staff_role
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id, m.name, s.role FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.user_id = staff_user ORDER BY m.name, m.id
$$;
--> statement-breakpoint
-- A link names no merchant: only the invitation itself, and only by its token's hash.
CREATE FUNCTION invitation_by_token(hash bytea) RETURNS TABLE (merchant_id uuid, invitation_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM invitations i WHERE i.token_hash = hash
$$;
--> statement-breakpoint
-- Deletes the invitations whose links ended before `before`.
CREATE FUNCTION forget_invitations(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM invitations WHERE expires_at < before
$$;
--> statement-breakpoint
-- Limits
-- ------

GRANT SELECT, INSERT, UPDATE, DELETE ON throttles TO loyalty_app;
--> statement-breakpoint
-- Written at every lease, and worth nothing after a crash. Half-empty pages: a bucket's next version lies beside it.
ALTER TABLE rate_buckets SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE rate_buckets SET (fillfactor = 50);
--> statement-breakpoint
-- The application sees of buckets only which say nothing any more; it takes by the function below.
GRANT SELECT (bucket, full_at), DELETE ON rate_buckets TO loyalty_app;
--> statement-breakpoint
-- Takes up to `wanted` tokens of those that are there by the database's clock, for all instances in turn; `wait_ms` is how long
-- until there is another one.
CREATE FUNCTION take_tokens(bucket_name text, rate double precision, burst integer, wanted integer)
RETURNS TABLE (granted integer, wait_ms integer) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  level double precision;
  since timestamptz;
  at timestamptz;
BEGIN
  LOOP
    SELECT b.tokens, b.refilled_at INTO level, since FROM rate_buckets b WHERE b.bucket = bucket_name FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_buckets VALUES (bucket_name, burst, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING;
  END LOOP;
  -- A clock that was set back fills nothing, and the bucket goes by it from then on.
  at := clock_timestamp();
  level := least(burst, level + rate * greatest(0, extract(epoch FROM at - since)));
  granted := least(wanted, floor(level));
  level := level - granted;
  IF granted > 0 OR since > at THEN
    UPDATE rate_buckets b
    SET tokens = level, refilled_at = at, full_at = at + make_interval(secs => (burst - level) / rate)
    WHERE b.bucket = bucket_name;
  END IF;
  wait_ms := ceil(greatest(0, 1 - level) / rate * 1000);
  RETURN NEXT;
END $$;
--> statement-breakpoint
-- Customers
-- ---------

GRANT SELECT, INSERT, UPDATE ON customers TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON
  customer_terms, customer_imports, customer_import_rows, diner_codes, diner_sessions TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON customer_pins TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON balances TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (principal, bonus, points, blocked_at) ON balances TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  state, headings, mapping, row_count, done_through, enrolled_count, problem_count, started_at, updated_at,
  finished_at
) ON customer_imports TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (problems) ON customer_import_rows TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (id, hash, failures, sent_at, expires_at) ON diner_codes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (customer_id, expires_at) ON diner_sessions TO loyalty_app;
--> statement-breakpoint
-- As people type it: without accents, case and punctuation. `foldName` of server/domain/customers/search.ts is its twin.
CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), '[''’.]', '', 'g'), '[\s,/_-]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- The terms that a customer is searched by: the name from each of its words on, with those before it at the end; as one word,
-- family name first, where it is written without spaces; the e-mail address; the phone's digits, then those without the
-- country's calling code, then all of them backwards behind a `<`.
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
CREATE TRIGGER index_new AFTER INSERT ON customers REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION index_new_customers();
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
CREATE TRIGGER index_changed AFTER UPDATE OF given_name, last_name, phone, email, erased_at ON customers
  FOR EACH ROW EXECUTE FUNCTION index_changed_customer();
--> statement-breakpoint
-- Who wants no more messages tells the messenger's one number, and so all merchants.
CREATE FUNCTION customers_of_phone(number text) RETURNS TABLE (merchant_id uuid, customer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, c.id FROM merchants m JOIN customers c ON c.merchant_id = m.id AND c.phone = number
$$;
--> statement-breakpoint
-- Imports that nobody has carried on with since `before`: their worker is gone, or has not begun.
CREATE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (merchant_id uuid, import_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id
  WHERE i.finished_at IS NULL AND i.state = 'running'
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
-- Deletes at most `most` rows of files that were uploaded before `before`, and what took the place of headings: personal data is
-- not kept for longer. Answers how many rows it deleted.
CREATE FUNCTION forget_customer_imports(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE customer_imports i SET headings = '{}' FROM merchants m
  WHERE m.id = i.merchant_id AND state <> 'running' AND headings <> '{}'
    AND i.created_at < before + make_interval(secs => m.clock_ahead_seconds);
  WITH deleted AS (
    DELETE FROM customer_import_rows WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM customer_imports i
      JOIN merchants m ON m.id = i.merchant_id
      JOIN customer_import_rows r ON r.merchant_id = i.merchant_id AND r.import_id = i.id
      WHERE i.state <> 'running' AND i.created_at < before + make_interval(secs => m.clock_ahead_seconds)
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
-- Deletes the codes and sessions that have ended, and what was sent before `before` to phones of nobody: merchant by merchant,
-- for a join would read the messages of all strangers to find those of thirty days ago.
CREATE FUNCTION forget_diners(ended timestamptz, before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM diner_codes WHERE expires_at <= ended;
  DELETE FROM diner_sessions WHERE expires_at <= ended;
  DELETE FROM messages WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM merchants m
    CROSS JOIN LATERAL (
      SELECT g.ctid AS place FROM messages g
      WHERE g.merchant_id = m.id AND g.phone IS NOT NULL
        AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
      OFFSET 0
    ) old
  ));
$$;
--> statement-breakpoint
-- Ledger
-- ------

GRANT SELECT, INSERT ON
  transactions, voids, lots, ledger_entries, adjustments, sales, sale_lines, sale_payments TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (status, points_shortfall, void_id, voided_at) ON transactions TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (remaining) ON lots TO loyalty_app;
--> statement-breakpoint
-- The merchants whose customers hold value that has passed its time: the job that writes it off starts from them.
CREATE FUNCTION merchants_with_expired_value(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE EXISTS (
    SELECT FROM lots l WHERE l.merchant_id = m.id AND l.open
      AND l.expires_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
-- Packages and top-ups
-- --------------------

GRANT SELECT, INSERT ON stored_value_packages, top_up_requests TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON stored_value_package_stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  name, kind, amount, bonus_amount, min_amount, max_amount, bonus_basis_points, bonus_expires_in_days, all_stores,
  valid_from, valid_until, "position", archived_at
) ON stored_value_packages TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  state, checkout_id, checkout_url, refusal, refunded_amount, alerted_at, acknowledged_at, acknowledged_by,
  transaction_uid
) ON top_up_requests TO loyalty_app;
--> statement-breakpoint
-- Top-ups that somebody has to ask after: paid by card and begun before `before`, or not paid back yet; or to be paid at a
-- counter, and past their time `at`. The oldest first.
CREATE FUNCTION unsettled_top_ups(before timestamptz, at timestamptz, most integer)
RETURNS TABLE (merchant_id uuid, top_up_request_id uuid, method top_up_method)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT r.merchant_id, r.id, r.method FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at < before AND (r.method = 'card' OR r.expires_at <= at)
  ORDER BY r.created_at LIMIT most
$$;
--> statement-breakpoint
-- Vouchers
-- --------

GRANT SELECT, INSERT ON voucher_campaigns, vouchers, voucher_counts, voucher_tallies, voucher_issues TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON voucher_campaign_stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  name, unit, value, plus, min_spend, max_discount, max_units, stackable, all_stores, valid_from, valid_until,
  validity_days, trigger, total_limit, per_customer_limit, issued_count, paused_at, archived_at, days_before,
  seasonal_on, last_visited_store_id, min_spent, not_seen_since, joined_before, holds_stored_value, occasions_through
) ON voucher_campaigns TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (redeemed_by, redeemed_at, cancelled_at, cancel_reason) ON vouchers TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued_count) ON voucher_counts TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued, redeemed, cancelled, discount) ON voucher_tallies TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued_count, refused_count, done_through, updated_at, finished_at) ON voucher_issues TO loyalty_app;
--> statement-breakpoint
-- A voucher that a sale issues is written before the sale's transaction, whose answer tells of it.
ALTER TABLE vouchers
  ALTER CONSTRAINT vouchers_merchant_id_issued_by_transactions_merchant_id_uid_fk DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
-- Count what a statement did to vouchers into their campaigns' tallies, whoever sent the statement.
CREATE FUNCTION tally_new_vouchers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO voucher_tallies AS t (merchant_id, campaign_id, expires_at, slot, issued, redeemed, cancelled, discount)
  SELECT v.merchant_id, v.campaign_id, coalesce(v.expires_at, 'infinity'), get_byte(uuid_send(v.customer_id), 15) % 4,
    sum(v.sign), coalesce(sum(v.sign) FILTER (WHERE v.state = 'redeemed'), 0),
    coalesce(sum(v.sign) FILTER (WHERE v.state = 'cancelled'), 0), coalesce(sum(v.sign * x.amount), 0)
  FROM (SELECT 1 AS sign, n.* FROM new_rows n) v
  LEFT JOIN transactions x ON x.merchant_id = v.merchant_id AND x.uid = v.redeemed_by
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (merchant_id, campaign_id, expires_at, slot) DO UPDATE SET issued = t.issued + excluded.issued,
    redeemed = t.redeemed + excluded.redeemed, cancelled = t.cancelled + excluded.cancelled,
    discount = t.discount + excluded.discount;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tally_new AFTER INSERT ON vouchers REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_new_vouchers();
--> statement-breakpoint
CREATE FUNCTION tally_changed_vouchers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO voucher_tallies AS t (merchant_id, campaign_id, expires_at, slot, issued, redeemed, cancelled, discount)
  SELECT v.merchant_id, v.campaign_id, coalesce(v.expires_at, 'infinity'), get_byte(uuid_send(v.customer_id), 15) % 4,
    sum(v.sign), coalesce(sum(v.sign) FILTER (WHERE v.state = 'redeemed'), 0),
    coalesce(sum(v.sign) FILTER (WHERE v.state = 'cancelled'), 0), coalesce(sum(v.sign * x.amount), 0)
  FROM (SELECT 1 AS sign, n.* FROM new_rows n UNION ALL SELECT -1, o.* FROM old_rows o) v
  LEFT JOIN transactions x ON x.merchant_id = v.merchant_id AND x.uid = v.redeemed_by
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (merchant_id, campaign_id, expires_at, slot) DO UPDATE SET issued = t.issued + excluded.issued,
    redeemed = t.redeemed + excluded.redeemed, cancelled = t.cancelled + excluded.cancelled,
    discount = t.discount + excluded.discount;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tally_changed AFTER UPDATE ON vouchers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_vouchers();
--> statement-breakpoint
-- Runs that nobody has carried on with since `before`: their worker is gone, or has not begun.
CREATE FUNCTION stalled_voucher_issues(before timestamptz) RETURNS TABLE (merchant_id uuid, issue_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id
  FROM voucher_issues i
  JOIN voucher_campaigns c ON c.merchant_id = i.merchant_id AND c.id = i.campaign_id
  JOIN merchants m ON m.id = i.merchant_id
  WHERE i.finished_at IS NULL AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND c.paused_at IS NULL
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
-- The date at that time in the zone; null where this PostgreSQL does not know the zone: newer systems leave old names out.
CREATE FUNCTION local_date(zone text, at timestamptz) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (at AT TIME ZONE zone)::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Campaigns that have an occasion to begin at this time, each by its merchant's clock and time zone. In a zone that only the
-- application knows, it says itself what is due: nobody else's waits for that.
CREATE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) own
  CROSS JOIN LATERAL (SELECT local_date(m.time_zone, own.now) AS today OFFSET 0) here
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND (c.valid_until IS NULL OR c.valid_until > own.now)
    AND (here.today IS NULL
      OR (c.occasions_through IS NULL OR c.occasions_through < here.today)
        AND (c.trigger <> 'seasonal' OR c.seasonal_on <= here.today
          AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on)))
  ORDER BY c.merchant_id, c.id
$$;
--> statement-breakpoint
-- Menu and orders
-- ---------------

GRANT SELECT, INSERT ON menu_categories, menu_items, menu_photos, qr_codes, orders, order_lines TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON
  menu_item_stores, menu_option_groups, menu_options, menu_item_option_groups, stock_outs TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, "position", translations, archived_at) ON menu_categories TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  category_id, plu, name, description, price, "position", archived_at, translations, allergens, photo_id, all_stores
) ON menu_items TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, translations, minimum, maximum) ON menu_option_groups TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, translations, price, plu, "position") ON menu_options TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (uploaded_at) ON menu_photos TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (status, expires_at, invalidated_at) ON qr_codes TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (status, updated_at) ON orders TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (until) ON stock_outs TO loyalty_app;
--> statement-breakpoint
-- A diner's address names no merchant: only the code itself, and only by its token's hash.
CREATE FUNCTION qr_code_by_token(hash bytea) RETURNS TABLE (merchant_id uuid, qr_code_id uuid, clock_ahead_seconds integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT q.merchant_id, q.id, m.clock_ahead_seconds FROM qr_codes q JOIN merchants m ON m.id = q.merchant_id
  WHERE q.token_hash = hash
$$;
--> statement-breakpoint
-- A photo's address names no merchant: a menu is public, and only the photo itself is read, by its id.
CREATE FUNCTION menu_photo(photo uuid, wants_large boolean) RETURNS TABLE (content bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN wants_large THEN p.large ELSE p.small END FROM menu_photos p WHERE p.id = photo
$$;
--> statement-breakpoint
-- Deletes at most `most` photos that no item has and nobody has uploaded since `before`. They are locked first, so that no item
-- takes one from then on; then looked at again, for one may have before. Answers how many it locked.
CREATE FUNCTION forget_menu_photos(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
-- Ends the stock-outs whose time is over. Answers whose they were.
CREATE FUNCTION end_stock_outs(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH ended AS (
    DELETE FROM stock_outs WHERE ctid = ANY (ARRAY(
      SELECT over.place FROM merchants m
      CROSS JOIN LATERAL (
        SELECT s.ctid AS place FROM stock_outs s
        WHERE s.merchant_id = m.id AND s.until <= at + make_interval(secs => m.clock_ahead_seconds)
        FOR UPDATE SKIP LOCKED
      ) over
    ))
    RETURNING stock_outs.merchant_id
  )
  SELECT DISTINCT ended.merchant_id FROM ended
$$;
--> statement-breakpoint
-- Messages
-- --------

GRANT SELECT, INSERT ON messages, message_templates TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  customer_id, state, secret, attempts, provider_id, failure, updated_at, phone, due_at
) ON messages TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (template_name, body, is_on, updated_at) ON message_templates TO loyalty_app;
--> statement-breakpoint
-- The merchants that have a notice to send at this time, each by its own clock.
CREATE FUNCTION merchants_with_due_notices(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE EXISTS (
    SELECT FROM messages g WHERE g.merchant_id = m.id AND g.state = 'queued' AND g.due_at IS NOT NULL
      AND g.due_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
-- The merchants whose customers are told of what expires soon.
CREATE FUNCTION merchants_that_remind() RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m WHERE 'value-expiring' = ANY (m.notice_kinds)
$$;
--> statement-breakpoint
-- A messenger's receipt names no merchant: only the message that it knows, and only forwards. Answers whether there is one.
CREATE FUNCTION record_delivery_receipt(provider text, new_state message_state, reason text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE messages g SET state = new_state, failure = reason,
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND provider_id = provider
    AND (state = 'sent' AND new_state IN ('delivered', 'read', 'failed') OR state = 'delivered' AND new_state = 'read');
  SELECT EXISTS (SELECT FROM messages WHERE provider_id = provider);
$$;
--> statement-breakpoint
-- A code is given up after a day; notices wait for their time.
CREATE FUNCTION give_up_messages(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE messages g SET state = 'failed', secret = NULL, failure = 'given up after a day',
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND state = 'queued' AND g.due_at IS NULL
    AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
$$;
--> statement-breakpoint
-- Reports
-- -------

GRANT SELECT, INSERT ON report_progress TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON ledger_days, transaction_days, voucher_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (time_zone, entry_id, transaction_uid, void_id, voucher_id) ON report_progress TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (granted, spent, voided, expired, adjusted) ON ledger_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (count, amount) ON transaction_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued, redeemed, discount) ON voucher_days TO loyalty_app;
--> statement-breakpoint
-- Without a primary key, for what no store did has none: by all columns a subscriber finds what changed.
ALTER TABLE ledger_days REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE transaction_days REPLICA IDENTITY FULL;
--> statement-breakpoint
-- The first id (UUIDv7) of a millisecond, as the application makes them.
CREATE FUNCTION first_id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
--> statement-breakpoint
-- The merchants of whom something is not summed up yet, of what the application had made by `at`; each with how far its clock is
-- ahead, its last ledger entry, and the first database transaction that had not begun. One whose clock was advanced since is
-- left for later: what was under way carries ids of the time before.
CREATE FUNCTION report_backlog(at timestamptz) RETURNS TABLE (
  merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id, m.time_zone, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE (m.clock_moved_at IS NULL OR m.clock_moved_at < at)
    AND (p.merchant_id IS NULL OR p.time_zone <> m.time_zone OR e.id > p.entry_id
      OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= own.until)
      OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= own.until)
      OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= own.until))
$$;
--> statement-breakpoint
-- Jobs
-- ----

GRANT SELECT, INSERT ON job_runs, scheduled_tasks TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (started_at, updated_at, ended_at, done, failures, error) ON job_runs TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (started_at, ended_at, done, error) ON scheduled_tasks TO loyalty_app;
--> statement-breakpoint
-- Deletes at most `most` runs that came no further since `before`. Answers how many it deleted.
CREATE FUNCTION forget_job_runs(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH deleted AS (
    DELETE FROM job_runs WHERE ctid = ANY (ARRAY(SELECT ctid FROM job_runs WHERE updated_at < before LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
-- What may be called: by the application alone. What follows from rows by itself, everybody may whose rows it is.
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN
    SELECT oid FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND (prosecdef OR proname = 'set_tenant')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO loyalty_app', one);
  END LOOP;
END $$;
