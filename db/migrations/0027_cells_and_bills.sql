-- expand
CREATE TABLE "merchant_moves" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"cell" text NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"step" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "merchant_moves_state" CHECK ("merchant_moves"."state" in ('leaving', 'arriving', 'left')),
	CONSTRAINT "merchant_moves_stopped" CHECK ("merchant_moves"."state" <> 'arriving' or "merchant_moves"."stopped_at" is null),
	CONSTRAINT "merchant_moves_left" CHECK (("merchant_moves"."state" = 'left') = ("merchant_moves"."left_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "merchant_moves" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "moved_references" (
	"kind" text NOT NULL,
	"reference" "bytea" NOT NULL,
	"merchant_id" uuid NOT NULL,
	CONSTRAINT "moved_references_merchant_id_kind_reference_pk" PRIMARY KEY("merchant_id","kind","reference"),
	CONSTRAINT "moved_references_kind" CHECK ("moved_references"."kind" in ('apiKey', 'qrCode', 'invitation', 'photo', 'member'))
);
--> statement-breakpoint
ALTER TABLE "moved_references" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "moved_references" ADD CONSTRAINT "moved_references_merchant_id_merchant_moves_merchant_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchant_moves"("merchant_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "moved_references_reference" ON "moved_references" USING btree ("reference","kind");
--> statement-breakpoint
CREATE POLICY "tenant" ON "merchant_moves" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "tenant" ON "moved_references" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
-- Its own move is all that the service sees. The operator's commands write both tables.
GRANT SELECT ON merchant_moves TO loyalty_app;
--> statement-breakpoint
-- Merchants that nothing in this cell serves: they are still arriving, or have left. Without a setting of its own, so that
-- queries of the functions below inline it.
CREATE FUNCTION unserved_merchants() RETURNS TABLE (merchant_id uuid) LANGUAGE sql STABLE AS $$
  SELECT v.merchant_id FROM public.merchant_moves v WHERE v.state <> 'leaving'
$$;
--> statement-breakpoint
-- Those, and the ones whose writes are stopped because they are about to leave.
CREATE FUNCTION stopped_merchants() RETURNS TABLE (merchant_id uuid) LANGUAGE sql STABLE AS $$
  SELECT v.merchant_id FROM public.merchant_moves v WHERE v.state <> 'leaving' OR v.stopped_at IS NOT NULL
$$;
--> statement-breakpoint
-- Begins a database transaction of a merchant: names the tenant, and refuses one whose writes are stopped. A transaction
-- that began before the stop was committed may still write, so a move waits for those. Of all others, none writes a row.
CREATE PROCEDURE enter_merchant(merchant uuid) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.set_config('app.merchant_id', merchant::text, true);
  IF EXISTS (
    SELECT FROM public.merchant_moves v
    WHERE v.merchant_id = merchant AND (v.state <> 'leaving' OR v.stopped_at IS NOT NULL))
  THEN
    RAISE SQLSTATE 'LM001' USING MESSAGE = 'the merchant is being moved';
  END IF;
END $$;
--> statement-breakpoint
-- The merchants that a caller names by the hash of a key or token, or by the bytes of an id, if nothing here serves them.
CREATE FUNCTION moved_to(kind text, reference bytea) RETURNS TABLE (merchant_id uuid, state text, cell text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT v.merchant_id, v.state, v.cell
  FROM merchant_moves v
  WHERE v.state <> 'leaving' AND v.merchant_id IN (
    SELECT r.merchant_id FROM moved_references r WHERE r.kind = moved_to.kind AND r.reference = moved_to.reference
    UNION ALL SELECT k.merchant_id FROM api_keys k WHERE moved_to.kind = 'apiKey' AND k.hash = moved_to.reference
    UNION ALL SELECT q.merchant_id FROM qr_codes q WHERE moved_to.kind = 'qrCode' AND q.token_hash = moved_to.reference
    UNION ALL SELECT i.merchant_id FROM invitations i
      WHERE moved_to.kind = 'invitation' AND i.token_hash = moved_to.reference
    UNION ALL SELECT p.merchant_id FROM menu_photos p
      WHERE p.id = CASE moved_to.kind WHEN 'photo' THEN encode(moved_to.reference, 'hex')::uuid END
    UNION ALL SELECT p.merchant_id FROM memberships p
      WHERE p.user_id = CASE moved_to.kind WHEN 'member' THEN encode(moved_to.reference, 'hex')::uuid END
    UNION ALL SELECT CASE moved_to.kind WHEN 'merchant' THEN encode(moved_to.reference, 'hex')::uuid END)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION unserved_merchants, stopped_merchants, moved_to FROM PUBLIC;
--> statement-breakpoint
REVOKE EXECUTE ON PROCEDURE enter_merchant FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION moved_to TO loyalty_app;
--> statement-breakpoint
GRANT EXECUTE ON PROCEDURE enter_merchant TO loyalty_app;
--> statement-breakpoint
-- Ways in
-- -------

-- The rows of a key, its merchant and its store; none of a merchant that is arriving or has left. Whole rows, so that a new
-- column of theirs needs no function written again.
CREATE FUNCTION api_key_by_hash(key_hash bytea) RETURNS TABLE (key api_keys, merchant merchants, store stores)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT k, m, s
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id AND m.closed_at IS NULL
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL
      AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id);
END $$;
--> statement-breakpoint
-- As the release before calls it.
CREATE OR REPLACE FUNCTION find_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz, store_id uuid,
  store_code text, store_name text, merchant_id uuid, merchant_name text, currency text, country text, time_zone text,
  locale text, pin_required boolean, balance_limit bigint, earning_sale_limit bigint, customer_daily_points bigint,
  customer_daily_value bigint, key_daily_points bigint, key_daily_value bigint, earn_points integer,
  earn_per_amount bigint, point_value bigint, min_redeem_points integer, points_expiry_months integer,
  backdating_days integer, enrol_on_sale boolean, clock_ahead_seconds integer, notice_kinds text[], quiet_from text,
  quiet_until text, event_types text[], rate_per_second integer, rate_burst integer, scope text, networks cidr[]
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT
      (f.key).id, (f.key).environment, (f.key).expires_at, (f.key).revoked_at, (f.store).id, (f.store).store_code,
      (f.store).name, (f.merchant).id, (f.merchant).name, (f.merchant).currency, (f.merchant).country,
      (f.merchant).time_zone, (f.merchant).locale, (f.merchant).pin_required, (f.merchant).balance_limit,
      (f.merchant).earning_sale_limit, (f.merchant).customer_daily_points, (f.merchant).customer_daily_value,
      (f.merchant).key_daily_points, (f.merchant).key_daily_value, (f.merchant).earn_points,
      (f.merchant).earn_per_amount, (f.merchant).point_value, (f.merchant).min_redeem_points,
      (f.merchant).points_expiry_months, (f.merchant).backdating_days, (f.merchant).enrol_on_sale,
      (f.merchant).clock_ahead_seconds, (f.merchant).notice_kinds, (f.merchant).quiet_from, (f.merchant).quiet_until,
      (f.merchant).event_types, (f.key).rate_per_second, (f.key).rate_burst, (f.key).scope, (f.key).networks
    FROM api_key_by_hash(key_hash) f;
END $$;
--> statement-breakpoint
-- The rows of a session, its person, and each of their memberships, with the merchant; one without for a person without any.
CREATE FUNCTION session_by_token(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz)
RETURNS TABLE (
  session staff_sessions, person users, membership memberships, merchant merchants, store_ids uuid[],
  second_factor_from timestamptz
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE staff_sessions s SET last_seen_at = at
  WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.last_seen_at < seen_before AND s.expires_at > at
    AND s.confirmed_at IS NOT NULL;
  RETURN QUERY
    SELECT s, u, p, m,
      ARRAY(SELECT t.store_id FROM membership_stores t WHERE t.merchant_id = p.merchant_id AND t.user_id = p.user_id),
      CASE
        WHEN m.second_factor_of = 'everybody' OR m.second_factor_of = 'managers' AND p.role <> 'cashier'
          OR m.second_factor_of = 'owners' AND p.role = 'owner'
        THEN CASE WHEN NOT has_second_factor(u.id) THEN m.second_factor_from::timestamptz END
      END
    FROM staff_sessions s
    JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    LEFT JOIN (memberships p JOIN merchants m ON m.id = p.merchant_id AND m.closed_at IS NULL
      AND NOT EXISTS (SELECT FROM unserved_merchants() o WHERE o.merchant_id = m.id)) ON p.user_id = u.id
    WHERE s.token_hash = hash AND s.last_seen_at > active_since AND s.expires_at > at AND s.confirmed_at IS NOT NULL
    ORDER BY m.name, m.id;
END $$;
--> statement-breakpoint
-- As the release before calls it.
CREATE OR REPLACE FUNCTION staff_session(hash bytea, at timestamptz, active_since timestamptz, seen_before timestamptz)
RETURNS TABLE (
  session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role,
  all_stores boolean, store_ids uuid[], confirmed_at timestamptz, second_factor_from timestamptz
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT (f.session).id, (f.person).id, (f.person).name, (f.person).email, (f.merchant).id, (f.merchant).name,
      (f.membership).role, (f.membership).all_stores, f.store_ids, (f.session).confirmed_at::timestamptz,
      f.second_factor_from
    FROM session_by_token(hash, at, active_since, seen_before) f
    ORDER BY (f.merchant).name, (f.merchant).id;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION api_key_by_hash, session_by_token FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION api_key_by_hash, session_by_token TO loyalty_app;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION qr_code_by_token(hash bytea) RETURNS TABLE (
  merchant_id uuid, qr_code_id uuid, clock_ahead_seconds integer, merchant_closed_at timestamptz
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT q.merchant_id, q.id, m.clock_ahead_seconds, m.closed_at FROM qr_codes q JOIN merchants m ON m.id = q.merchant_id
  WHERE q.token_hash = hash AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION invitation_by_token(hash bytea) RETURNS TABLE (merchant_id uuid, invitation_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM invitations i
  WHERE i.token_hash = hash AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = i.merchant_id)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION password_reset_by_token(hash bytea, at timestamptz) RETURNS TABLE (
  user_id uuid, email text, merchant_names text[]
) LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT u.id, u.email, ARRAY(
    SELECT m.name FROM memberships p JOIN merchants m ON m.id = p.merchant_id
    WHERE p.user_id = u.id AND NOT EXISTS (SELECT FROM unserved_merchants() o WHERE o.merchant_id = m.id))
  FROM password_resets r
  JOIN users u ON u.id = r.user_id AND u.session_version = r.session_version
  WHERE r.token_hash = hash AND r.expires_at > at
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION menu_photo(photo uuid, wants_large boolean) RETURNS TABLE (content bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN wants_large THEN p.large ELSE p.small END FROM menu_photos p
  WHERE p.id = photo AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = p.merchant_id)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION customers_of_phone(number text) RETURNS TABLE (merchant_id uuid, customer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, coalesce(c.merged_into, c.id)
  FROM merchants m JOIN customers c ON c.merchant_id = m.id AND c.phone = number
  WHERE NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$$;
--> statement-breakpoint
-- The worker's tasks
-- ------------------

-- As before, without merchants whose writes are stopped: what a task wrote here would be lost, or there twice.
CREATE OR REPLACE FUNCTION report_backlog(at timestamptz) RETURNS TABLE (
  merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id, m.time_zone, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (m.clock_moved_at IS NULL OR m.clock_moved_at < at)
    AND (p.merchant_id IS NULL OR p.time_zone <> m.time_zone OR e.id > p.entry_id
      OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= own.until)
      OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= own.until)
      OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= own.until))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION due_occasions(at timestamptz) RETURNS TABLE (merchant_id uuid, campaign_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id AND m.closed_at IS NULL
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) own
  CROSS JOIN LATERAL (SELECT local_date(m.time_zone, own.now) AS today OFFSET 0) here
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (c.valid_until IS NULL OR c.valid_until > own.now)
    AND (here.today IS NULL
      OR (c.occasions_through IS NULL OR c.occasions_through < here.today)
        AND (c.trigger <> 'seasonal' OR c.seasonal_on <= here.today
          AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on)))
  ORDER BY c.merchant_id, c.id
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stalled_voucher_issues(before timestamptz) RETURNS TABLE (merchant_id uuid, issue_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id
  FROM voucher_issues i
  JOIN voucher_campaigns c ON c.merchant_id = i.merchant_id AND c.id = i.campaign_id
  JOIN merchants m ON m.id = i.merchant_id AND m.closed_at IS NULL
  WHERE i.finished_at IS NULL AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND c.paused_at IS NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stalled_customer_imports(before timestamptz) RETURNS TABLE (
  merchant_id uuid, import_id uuid
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id AND m.closed_at IS NULL
  WHERE (i.finished_at IS NULL AND i.state = 'running' OR i.undo_started_at IS NOT NULL AND i.undone_at IS NULL)
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION unsettled_top_ups(before timestamptz, at timestamptz, most integer) RETURNS TABLE (
  merchant_id uuid, top_up_request_id uuid, method top_up_method
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT r.merchant_id, r.id, r.method FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at < before AND (r.method = 'card' OR r.expires_at <= at)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = r.merchant_id)
  ORDER BY r.created_at LIMIT most
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION webhook_endpoints_due(at timestamptz) RETURNS TABLE (
  merchant_id uuid, endpoint_id uuid, is_failing boolean
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT w.merchant_id, w.id, w.failing_since IS NOT NULL
  FROM webhook_endpoints w
  JOIN merchants m ON m.id = w.merchant_id AND m.closed_at IS NULL
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND w.state = 'enabled' AND (w.leased_until IS NULL OR w.leased_until <= at) AND (
    EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.merchant_id = w.merchant_id AND d.endpoint_id = w.id AND d.state = 'pending' AND d.next_attempt_at <= at)
    OR EXISTS (
      SELECT FROM events e
      WHERE e.merchant_id = w.merchant_id AND (e.xid, e.seq) > (w.queued_xid, w.queued_seq)
        AND e.xid < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint))
  ORDER BY 3, w.queued_xid
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_that_remind() RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m WHERE m.closed_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND 'value-expiring' = ANY (m.notice_kinds)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_to_summarize(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT DISTINCT m.id
  FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.role <> 'cashier' AND m.closed_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() o WHERE o.merchant_id = m.id)
    AND s.summarized_until < ((at + make_interval(secs => m.clock_ahead_seconds)) AT TIME ZONE m.time_zone)::date - 1
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_with_due_notices(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE m.closed_at IS NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND EXISTS (
      SELECT FROM messages g WHERE g.merchant_id = m.id AND g.state = 'queued' AND g.due_at IS NOT NULL
        AND g.due_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_with_expired_value(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE m.closed_at IS NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND EXISTS (
      SELECT FROM lots l WHERE l.merchant_id = m.id AND l.open
        AND l.expires_at <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION merchants_with_ended_stock_outs(at timestamptz) RETURNS TABLE (merchant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id FROM merchants m
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() h WHERE h.merchant_id = m.id) AND EXISTS (
    SELECT FROM stock_outs s WHERE s.merchant_id = m.id AND s.until <= at + make_interval(secs => m.clock_ahead_seconds))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION give_up_messages(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE messages g SET state = 'failed', secret = NULL, failure = '{"key": "givenUp", "values": {}}',
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND state = 'queued' AND g.due_at IS NULL
    AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION delete_api_requests(before uuid, most integer) RETURNS integer
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
      WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = k.merchant_id)
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_customer_imports(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE customer_imports i SET headings = '{}' FROM merchants m
  WHERE m.id = i.merchant_id AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND state <> 'running' AND headings <> '{}'
    AND i.created_at < before + make_interval(secs => m.clock_ahead_seconds);
  WITH deleted AS (
    DELETE FROM customer_import_rows WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM customer_imports i
      JOIN merchants m ON m.id = i.merchant_id
      JOIN customer_import_rows r ON r.merchant_id = i.merchant_id AND r.import_id = i.id
      WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
        AND i.state <> 'running' AND i.created_at < before + make_interval(secs => m.clock_ahead_seconds)
      LIMIT most
    )) RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_job_runs(before timestamptz, most integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH deleted AS (
    DELETE FROM job_runs WHERE ctid = ANY (ARRAY(
      SELECT j.ctid FROM job_runs j
      WHERE j.updated_at < before AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = j.merchant_id) LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_events(before uuid, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  merchant uuid;
  event record;
  newest_old tid;
  old tid[] := '{}';
  forgotten integer;
BEGIN
  FOR merchant IN 
    SELECT m.id FROM merchants m WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
  LOOP
    newest_old := NULL;
    FOR event IN
      SELECT e.ctid, e.id FROM events e WHERE e.merchant_id = merchant
      ORDER BY e.xid, e.seq LIMIT most - cardinality(old) + 1
    LOOP
      EXIT WHEN event.id >= before;
      IF newest_old IS NOT NULL THEN
        old := old || newest_old;
      END IF;
      newest_old := event.ctid;
    END LOOP;
    EXIT WHEN cardinality(old) >= most;
  END LOOP;
  DELETE FROM events e WHERE e.ctid = ANY (old);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_menu_photos(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  locked uuid[];
BEGIN
  locked := ARRAY(
    SELECT p.id FROM menu_photos p
    WHERE p.uploaded_at < before AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = p.merchant_id)
      AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
      AND NOT EXISTS (SELECT FROM merchants m WHERE m.id = p.merchant_id AND m.logo_id = p.id)
    LIMIT most FOR UPDATE OF p SKIP LOCKED);
  DELETE FROM menu_photos p
  WHERE p.id = ANY (locked) AND p.uploaded_at < before
    AND NOT EXISTS (SELECT FROM menu_items i WHERE i.merchant_id = p.merchant_id AND i.photo_id = p.id)
    AND NOT EXISTS (SELECT FROM merchants m WHERE m.id = p.merchant_id AND m.logo_id = p.id);
  RETURN cardinality(locked);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_diners(ended timestamptz, before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM diner_codes c WHERE c.expires_at <= ended AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = c.merchant_id);
  DELETE FROM diner_sessions d
  WHERE d.expires_at <= ended AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = d.merchant_id);
  DELETE FROM messages WHERE ctid = ANY (ARRAY(
    SELECT old.place FROM merchants m
    CROSS JOIN LATERAL (
      SELECT g.ctid AS place FROM messages g
      WHERE g.merchant_id = m.id AND g.phone IS NOT NULL
        AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
      OFFSET 0
    ) old
    WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
  ));
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_invitations(before timestamptz) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM invitations i
  WHERE i.expires_at < before AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = i.merchant_id)
$$;
--> statement-breakpoint
-- What the service writes for several merchants
-- ---------------------------------------------

-- As before, without merchants whose writes are stopped. The requests that were answered in the second before a stop are
-- missing from the list of requests.
CREATE OR REPLACE FUNCTION record_api_requests(requests json) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO api_requests (merchant_id, api_key_id, id, operation, status, error_code, duration_ms, created_at)
  SELECT "merchantId", "apiKeyId", id, operation, status, "errorCode", "durationMs", "createdAt"
  FROM json_to_recordset(requests) AS request ("merchantId" uuid, "apiKeyId" uuid, id uuid, operation text,
    status smallint, "errorCode" text, "durationMs" real, "createdAt" timestamptz)
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = request."merchantId")
$$;
--> statement-breakpoint
-- As before, but a receipt for a message of a merchant whose writes are stopped is refused: the messenger sends it again.
CREATE OR REPLACE FUNCTION record_delivery_receipt(provider text, new_state message_state, reason jsonb)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM messages g JOIN stopped_merchants() s USING (merchant_id) WHERE g.provider_id = provider) THEN
    RAISE SQLSTATE 'LM001' USING MESSAGE = 'the merchant is being moved';
  END IF;
  UPDATE messages g SET state = new_state, failure = reason,
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND provider_id = provider
    AND (state = 'sent' AND new_state IN ('delivered', 'read', 'failed') OR state = 'delivered' AND new_state = 'read');
  RETURN EXISTS (SELECT FROM messages WHERE provider_id = provider);
END $$;
--> statement-breakpoint
-- As before, but a person waits whose change would be missing from the log of a merchant whose writes are stopped. That of
-- a merchant that is not here says nothing of it.
CREATE OR REPLACE FUNCTION audit_person(person uuid, by_person boolean, done text, details text, at timestamptz)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM memberships p JOIN merchant_moves v ON v.merchant_id = p.merchant_id
    WHERE p.user_id = person AND v.state = 'leaving' AND v.stopped_at IS NOT NULL)
  THEN
    RAISE SQLSTATE 'LM001' USING MESSAGE = 'the merchant is being moved';
  END IF;
  INSERT INTO audit_log (merchant_id, id, actor_kind, actor_id, action, subject_kind, subject_id, after, created_at)
  SELECT m.id,
    (lpad(to_hex(floor(extract(epoch FROM here.now) * 1000)::bigint), 12, '0') || '7'
      || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
    CASE WHEN by_person THEN 'staff' ELSE 'service' END, CASE WHEN by_person THEN person END,
    done, 'user', person::text, details, here.now
  FROM memberships p
  JOIN merchants m ON m.id = p.merchant_id
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) here
  WHERE p.user_id = person AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id);
END $$;
--> statement-breakpoint
CREATE TABLE "this_cell" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text NOT NULL,
	"secret_ids" text[] NOT NULL,
	CONSTRAINT "this_cell_only" CHECK ("this_cell"."is_only")
);
--> statement-breakpoint
ALTER TABLE "this_cell" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "shared" ON "this_cell" AS PERMISSIVE FOR ALL TO public USING (true) WITH CHECK (true);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON this_cell TO loyalty_app;
--> statement-breakpoint
CREATE TABLE "bill_payments" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bill_uid" uuid NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"amount" bigint NOT NULL,
	"tip" bigint DEFAULT 0 NOT NULL,
	"kept_amount" bigint DEFAULT 0 NOT NULL,
	"kept_tip" bigint DEFAULT 0 NOT NULL,
	"returned_amount" bigint DEFAULT 0 NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"guest_id" uuid,
	"guest_name" text DEFAULT '' NOT NULL,
	"checkout_id" text,
	"checkout_url" text,
	"checkout_ended" boolean DEFAULT false NOT NULL,
	"returned_at" timestamp (3) with time zone,
	"refund_refused_at" timestamp (3) with time zone,
	CONSTRAINT "bill_payments_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bill_payments_state" CHECK ("bill_payments"."state" in ('held', 'released', 'taken')),
	CONSTRAINT "bill_payments_amounts" CHECK ("bill_payments"."amount" > 0 and "bill_payments"."tip" >= 0),
	CONSTRAINT "bill_payments_kept" CHECK ("bill_payments"."kept_amount" between 0 and "bill_payments"."amount" and "bill_payments"."kept_tip" between 0 and "bill_payments"."tip"
        and ("bill_payments"."state" = 'taken' or "bill_payments"."kept_amount" + "bill_payments"."kept_tip" + "bill_payments"."returned_amount" = 0)),
	CONSTRAINT "bill_payments_returned" CHECK ("bill_payments"."returned_amount" between 0 and "bill_payments"."amount" + "bill_payments"."tip" - "bill_payments"."kept_amount" - "bill_payments"."kept_tip"),
	CONSTRAINT "bill_payments_taken" CHECK (("bill_payments"."state" = 'taken') = ("bill_payments"."taken_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "bill_payments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "bills" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"bill_id" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"revision" integer NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"table_name" text,
	"lines" jsonb NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"service_charge" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"rounding" bigint NOT NULL,
	"total" bigint NOT NULL,
	"discount_transaction_ids" text[] DEFAULT '{}' NOT NULL,
	"held_amount" bigint DEFAULT 0 NOT NULL,
	"paid_amount" bigint DEFAULT 0 NOT NULL,
	"limit_amount" bigint DEFAULT 0 NOT NULL,
	"counts_from" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "bills_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bills_state" CHECK ("bills"."state" in ('open', 'closed', 'void')),
	CONSTRAINT "bills_revision" CHECK ("bills"."revision" > 0),
	CONSTRAINT "bills_total" CHECK ("bills"."total" = "bills"."subtotal" - "bills"."discount" + "bills"."service_charge" + "bills"."tax" + "bills"."rounding" and "bills"."total" >= 0),
	CONSTRAINT "bills_taken" CHECK ("bills"."held_amount" >= 0 and "bills"."paid_amount" >= 0 and "bills"."held_amount" + "bills"."paid_amount" <= "bills"."limit_amount"),
	CONSTRAINT "bills_closed" CHECK (("bills"."state" = 'open') = ("bills"."closed_at" is null))
);
--> statement-breakpoint
ALTER TABLE "bills" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "bill_payments" ADD CONSTRAINT "bill_payments_merchant_id_bill_uid_bills_merchant_id_id_fk" FOREIGN KEY ("merchant_id","bill_uid") REFERENCES "public"."bills"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "bill_payments_bill" ON "bill_payments" USING btree ("merchant_id","bill_uid","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "bills_open" ON "bills" USING btree ("merchant_id","store_id","bill_id") WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX "bills_bill" ON "bills" USING btree ("merchant_id","store_id","bill_id","id");
--> statement-breakpoint
CREATE INDEX "bills_state" ON "bills" USING btree ("merchant_id","store_id","state","id");
--> statement-breakpoint
CREATE INDEX "bills_forgotten" ON "bills" USING btree ("updated_at") WHERE state = 'open' and paid_amount > 0;
--> statement-breakpoint
CREATE INDEX "bill_payments_taken_at" ON "bill_payments" USING btree ("merchant_id","taken_at","id") WHERE state = 'taken';
--> statement-breakpoint
CREATE INDEX "bill_payments_unsettled" ON "bill_payments" USING btree ("created_at") WHERE not checkout_ended or (state = 'taken' and amount + tip - kept_amount - kept_tip > returned_amount);
--> statement-breakpoint
CREATE POLICY "tenant" ON "bill_payments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "stores" ON "bill_payments" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "bills" p where p.merchant_id = "bill_payments".merchant_id and p."id" = "bill_payments"."bill_uid") end);
--> statement-breakpoint
CREATE POLICY "tenant" ON "bills" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "stores" ON "bills" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
GRANT SELECT, INSERT ON bills, bill_payments TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  state, revision, request_hash, table_name, lines, subtotal, discount, service_charge, tax, rounding, total,
  discount_transaction_ids, held_amount, paid_amount, limit_amount, updated_at, closed_at
) ON bills TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  state, kept_amount, kept_tip, returned_amount, held_until, taken_at, checkout_id, checkout_url, checkout_ended,
  returned_at, refund_refused_at
) ON bill_payments TO loyalty_app;
--> statement-breakpoint
CREATE FUNCTION unsettled_bill_payments(before timestamptz, refused_before timestamptz, most integer) RETURNS TABLE (
  merchant_id uuid, bill_payment_id uuid
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.merchant_id, p.id FROM bill_payments p JOIN merchants m ON m.id = p.merchant_id
  WHERE (NOT p.checkout_ended
      OR (p.state = 'taken' AND p.amount + p.tip - p.kept_amount - p.kept_tip > p.returned_amount))
    AND (p.state <> 'held' OR p.created_at < before + make_interval(secs => m.clock_ahead_seconds))
    AND (p.refund_refused_at IS NULL OR p.refund_refused_at < refused_before)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = p.merchant_id)
  ORDER BY p.created_at LIMIT most
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION unsettled_bill_payments FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION unsettled_bill_payments TO loyalty_app;
--> statement-breakpoint
CREATE FUNCTION forgotten_bills(before timestamptz, most integer) RETURNS TABLE (merchant_id uuid, bill_uid uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT b.merchant_id, b.id FROM bills b JOIN merchants m ON m.id = b.merchant_id
  WHERE b.state = 'open' AND b.paid_amount > 0
    AND b.updated_at <= before + make_interval(secs => m.clock_ahead_seconds)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = b.merchant_id)
  ORDER BY b.updated_at LIMIT most
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION forgotten_bills FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION forgotten_bills TO loyalty_app;
--> statement-breakpoint
CREATE TABLE "dining_tables" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"name" text NOT NULL,
	"area" text DEFAULT '' NOT NULL,
	"seats" integer,
	"token_hash" "bytea" NOT NULL,
	"card_number" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "dining_tables_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "dining_tables_token" UNIQUE("token_hash"),
	CONSTRAINT "dining_tables_seats" CHECK ("dining_tables"."seats" between 1 and 1000)
);
--> statement-breakpoint
ALTER TABLE "dining_tables" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "ordering_settings" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"redeems_on_bill" boolean DEFAULT true NOT NULL,
	"card_on_bill" boolean DEFAULT true NOT NULL,
	"tip_percentages" smallint[] DEFAULT '{}' NOT NULL,
	"orders_again" boolean DEFAULT true NOT NULL,
	"shows_popular" boolean DEFAULT true NOT NULL,
	"filters_diets" boolean DEFAULT true NOT NULL,
	"calls_staff" boolean DEFAULT true NOT NULL,
	"estimates_wait" boolean DEFAULT true NOT NULL,
	"table_card_page" text DEFAULT 'menu' NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ordering_settings_tips" CHECK (cardinality("ordering_settings"."tip_percentages") <= 4 and 0 < all ("ordering_settings"."tip_percentages") and 50 >= all ("ordering_settings"."tip_percentages")),
	CONSTRAINT "ordering_settings_table_card_page" CHECK ("ordering_settings"."table_card_page" in ('menu', 'bill'))
);
--> statement-breakpoint
ALTER TABLE "ordering_settings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "table_calls" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"qr_code_id" uuid,
	"table_id" uuid,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"answered_by" uuid,
	CONSTRAINT "table_calls_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "table_calls_kind" CHECK ("table_calls"."kind" in ('staff', 'bill')),
	CONSTRAINT "table_calls_subject" CHECK (num_nonnulls("table_calls"."qr_code_id", "table_calls"."table_id") = 1),
	CONSTRAINT "table_calls_answered" CHECK ("table_calls"."answered_by" is null or "table_calls"."answered_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "table_calls" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ordering_settings" ADD CONSTRAINT "ordering_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk" FOREIGN KEY ("merchant_id","qr_code_id") REFERENCES "public"."qr_codes"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_table_id_dining_tables_merchant_id_id_fk" FOREIGN KEY ("merchant_id","table_id") REFERENCES "public"."dining_tables"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "dining_tables_name" ON "dining_tables" USING btree ("merchant_id","store_id","name") WHERE removed_at is null;
--> statement-breakpoint
CREATE INDEX "dining_tables_store" ON "dining_tables" USING btree ("merchant_id","store_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "table_calls_of_code" ON "table_calls" USING btree ("merchant_id","qr_code_id","kind") WHERE answered_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "table_calls_of_table" ON "table_calls" USING btree ("merchant_id","table_id","kind") WHERE answered_at is null;
--> statement-breakpoint
CREATE INDEX "table_calls_waiting" ON "table_calls" USING btree ("merchant_id","store_id","id") WHERE answered_at is null;
--> statement-breakpoint
CREATE POLICY "tenant" ON "dining_tables" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "stores" ON "dining_tables" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
CREATE POLICY "tenant" ON "ordering_settings" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "tenant" ON "table_calls" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
--> statement-breakpoint
CREATE POLICY "stores" ON "table_calls" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);
--> statement-breakpoint
GRANT SELECT, INSERT ON ordering_settings, dining_tables, table_calls TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (
  redeems_on_bill, card_on_bill, tip_percentages, orders_again, shows_popular, filters_diets, calls_staff, estimates_wait,
  table_card_page, updated_at
) ON ordering_settings TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, area, seats, token_hash, card_number, removed_at) ON dining_tables TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (answered_at, answered_by) ON table_calls TO loyalty_app;
--> statement-breakpoint
-- As before, with calls from tables. Tables and settings stay.
CREATE OR REPLACE FUNCTION reset_sandbox_merchant(merchant uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  emptied text;
BEGIN
  IF merchant::text IS DISTINCT FROM current_setting('app.merchant_id', true)
    OR NOT EXISTS (SELECT FROM api_keys k WHERE k.merchant_id = merchant AND k.environment = 'sandbox')
    OR EXISTS (SELECT FROM api_keys k WHERE k.merchant_id = merchant AND k.environment = 'live')
  THEN
    RAISE insufficient_privilege USING MESSAGE = 'only a merchant of a sandbox can be reset';
  END IF;
  IF EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = merchant) THEN
    RAISE SQLSTATE 'LM001' USING MESSAGE = 'the merchant is being moved';
  END IF;
  BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
  EXCEPTION WHEN insufficient_privilege THEN
    NULL;
  END;
  -- Each before those that its rows refer to.
  FOREACH emptied IN ARRAY ARRAY[
    'webhook_deliveries', 'events', 'bill_payments', 'bills',
    'table_calls', 'order_lines', 'orders', 'qr_codes', 'stock_outs', 'messages', 'diner_sessions', 'diner_codes', 'top_up_requests',
    'vouchers', 'voucher_counts', 'voucher_tallies', 'voucher_issues', 'sale_payments', 'sale_lines', 'sales',
    'partial_refunds', 'staff_top_ups', 'adjustments', 'ledger_entries', 'lots', 'transactions', 'voids',
    'customer_notes', 'customer_import_rows', 'customer_imports', 'customer_pins', 'customer_terms', 'balances', 'customers',
    'ledger_days', 'transaction_days', 'credit_days', 'sale_days', 'voucher_days', 'report_progress', 'job_runs'
  ] LOOP
    EXECUTE format('DELETE FROM %I WHERE merchant_id = $1', emptied) USING merchant;
  END LOOP;
  IF current_setting('session_replication_role') = 'replica' THEN
    PERFORM set_config('session_replication_role', 'origin', true);
  END IF;
  -- What was recorded at a time that the clock goes back before.
  DELETE FROM audit_log a WHERE a.merchant_id = merchant
    AND a.id > rpad(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0'), 32, 'f')::uuid;
  UPDATE voucher_campaigns c SET issued_count = 0, occasions_through = NULL WHERE c.merchant_id = merchant;
  UPDATE stores s SET last_order_number = 0 WHERE s.merchant_id = merchant;
  UPDATE merchants m SET clock_ahead_seconds = 0, clock_moved_at = now() WHERE m.id = merchant;
END $$;
--> statement-breakpoint
CREATE FUNCTION dining_table_by_token(hash bytea) RETURNS TABLE (
  merchant_id uuid, table_id uuid, clock_ahead_seconds integer, merchant_closed_at timestamptz
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT t.merchant_id, t.id, m.clock_ahead_seconds, m.closed_at
  FROM dining_tables t JOIN merchants m ON m.id = t.merchant_id
  WHERE t.token_hash = hash AND t.removed_at IS NULL
    AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION dining_table_by_token FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION dining_table_by_token TO loyalty_app;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "guest_id" uuid;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "guest_name" text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- An order that waits for staff gets its number and time when they accept it.
GRANT UPDATE (number, placed_at) ON orders TO loyalty_app;
