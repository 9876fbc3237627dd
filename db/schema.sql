-- Written by `npm run generate` from the catalogue of a database with all migrations: what each type, table and function is now.
-- It is for reading: migrations make it so. Roles other than the owner have the rights that are listed, and no others.

CREATE TYPE api_environment AS ENUM ('sandbox', 'live');
CREATE TYPE balance_part AS ENUM ('principal', 'bonus', 'points');
CREATE TYPE customer_import_state AS ENUM ('uploading', 'ready', 'running', 'finished');
CREATE TYPE entry_kind AS ENUM ('grant', 'spend', 'void', 'expiry', 'expiryReversal', 'adjustment');
CREATE TYPE issue_audience AS ENUM ('customers', 'segment', 'birthday', 'anniversary');
CREATE TYPE mail_state AS ENUM ('queued', 'sent', 'failed', 'inbox');
CREATE TYPE message_state AS ENUM ('queued', 'sent', 'delivered', 'read', 'failed', 'inbox');
CREATE TYPE order_status AS ENUM ('placed', 'accepted', 'ready', 'served', 'cancelled');
CREATE TYPE package_kind AS ENUM ('fixed', 'open');
CREATE TYPE qr_code_status AS ENUM ('active', 'invalidated', 'expired');
CREATE TYPE staff_role AS ENUM ('owner', 'manager', 'cashier');
CREATE TYPE top_up_method AS ENUM ('card', 'counter');
CREATE TYPE top_up_request_state AS ENUM ('open', 'credited', 'cancelled', 'expired', 'failed', 'refunding', 'refunded');
CREATE TYPE transaction_status AS ENUM ('completed', 'refused', 'voided');
CREATE TYPE transaction_type AS ENUM ('topUp', 'redeemStoredValue', 'redeemVoucher', 'redeemPoints', 'sale', 'expiry', 'adjustment', 'cashOut');
CREATE TYPE voucher_trigger AS ENUM ('join', 'birthday', 'anniversary', 'seasonal', 'manual');
CREATE TYPE voucher_unit AS ENUM ('BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage');

CREATE TABLE adjustments (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  user_id uuid NOT NULL,
  part balance_part NOT NULL,
  amount bigint NOT NULL,
  expires_at timestamp(3) with time zone,
  reason text NOT NULL,
  import_id uuid,
  merged_with uuid,
  CONSTRAINT adjustments_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT adjustments_transaction UNIQUE (merchant_id, transaction_uid),
  CONSTRAINT adjustments_merchant_id_import_id_customer_imports_merchant_id_ FOREIGN KEY (merchant_id, import_id) REFERENCES customer_imports(merchant_id, id),
  CONSTRAINT adjustments_merchant_id_merged_with_customers_merchant_id_id_fk FOREIGN KEY (merchant_id, merged_with) REFERENCES customers(merchant_id, id),
  CONSTRAINT adjustments_merchant_id_transaction_uid_transactions_merchant_i FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT adjustments_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE adjustments ENABLE ROW LEVEL SECURITY;
CREATE INDEX adjustments_import ON adjustments USING btree (merchant_id, import_id, transaction_uid) WHERE import_id IS NOT NULL;
CREATE POLICY tenant ON adjustments AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON adjustments TO loyalty_app;

CREATE TABLE api_key_days (
  merchant_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  day date NOT NULL,
  points bigint NOT NULL,
  value bigint NOT NULL,
  points_limit bigint,
  value_limit bigint,
  CONSTRAINT api_key_days_merchant_id_api_key_id_day_pk PRIMARY KEY (merchant_id, api_key_id, day),
  CONSTRAINT api_key_days_merchant_id_api_key_id_api_keys_merchant_id_id_fk FOREIGN KEY (merchant_id, api_key_id) REFERENCES api_keys(merchant_id, id),
  CONSTRAINT api_key_days_points CHECK (points <= points_limit),
  CONSTRAINT api_key_days_value CHECK (value <= value_limit)
);
ALTER TABLE api_key_days SET (fillfactor=50);
ALTER TABLE api_key_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_key_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (points, value, points_limit, value_limit) ON api_key_days TO loyalty_app;

CREATE TABLE api_keys (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid,
  name text NOT NULL,
  environment api_environment NOT NULL,
  hash bytea NOT NULL,
  last_four text NOT NULL,
  rate_per_second integer DEFAULT 50 NOT NULL,
  rate_burst integer DEFAULT 100 NOT NULL,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  scope text DEFAULT 'all'::text NOT NULL,
  networks cidr[] DEFAULT '{}'::cidr[] NOT NULL,
  scopes text[],
  sign_ups integer DEFAULT 0 NOT NULL,
  sign_ups_on date,
  CONSTRAINT api_keys_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT api_keys_hash UNIQUE (hash),
  CONSTRAINT api_keys_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT api_keys_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT api_keys_networks CHECK (cardinality(networks) <= 20),
  CONSTRAINT api_keys_rate CHECK (rate_per_second >= 1 AND rate_per_second <= 50000 AND rate_burst >= 1 AND rate_burst <= 50000),
  CONSTRAINT api_keys_scope CHECK (scope = ANY (ARRAY['read'::text, 'loyalty'::text, 'ordering'::text, 'all'::text])),
  CONSTRAINT api_keys_scopes CHECK (scopes <@ ARRAY['ordering'::text, 'bills'::text, 'loyalty'::text, 'webhooks'::text] AND (store_id IS NULL OR NOT scopes @> ARRAY['webhooks'::text]))
);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON api_keys AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id IS NULL OR (store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[]))
END);
CREATE POLICY tenant ON api_keys AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (rate_per_second, rate_burst, expires_at, revoked_at, scope, networks, scopes, sign_ups, sign_ups_on) ON api_keys TO loyalty_app;

CREATE TABLE api_requests (
  merchant_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  id uuid NOT NULL,
  operation text,
  status smallint NOT NULL,
  error_code text,
  duration_ms real NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT api_requests_merchant_id_api_key_id_id_pk PRIMARY KEY (merchant_id, api_key_id, id),
  CONSTRAINT api_requests_merchant_id_api_key_id_api_keys_merchant_id_id_fk FOREIGN KEY (merchant_id, api_key_id) REFERENCES api_keys(merchant_id, id)
);
ALTER TABLE api_requests ENABLE ROW LEVEL SECURITY;
CREATE INDEX api_requests_failed ON api_requests USING btree (merchant_id, api_key_id, id) WHERE status >= 500;
CREATE INDEX api_requests_refused ON api_requests USING btree (merchant_id, api_key_id, id) WHERE status >= 400 AND status <= 499;
CREATE POLICY tenant ON api_requests AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT SELECT ON api_requests TO loyalty_app;

CREATE TABLE audit_log (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  actor_kind text NOT NULL,
  actor_id uuid,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  before text,
  after text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT audit_log_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT audit_log_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
CREATE INDEX audit_log_action ON audit_log USING btree (merchant_id, action, id);
CREATE INDEX audit_log_actor ON audit_log USING btree (merchant_id, actor_id, id);
CREATE INDEX audit_log_actor_action ON audit_log USING btree (merchant_id, actor_id, action, id);
CREATE INDEX audit_log_diner ON audit_log USING btree (merchant_id, id) WHERE actor_kind = 'diner'::text;
CREATE INDEX audit_log_diner_action ON audit_log USING btree (merchant_id, action, id) WHERE actor_kind = 'diner'::text;
CREATE INDEX audit_log_service ON audit_log USING btree (merchant_id, id) WHERE actor_kind = 'service'::text;
CREATE INDEX audit_log_service_action ON audit_log USING btree (merchant_id, action, id) WHERE actor_kind = 'service'::text;
CREATE INDEX audit_log_subject ON audit_log USING btree (merchant_id, subject_kind, subject_id, id);
CREATE POLICY tenant ON audit_log AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON audit_log TO loyalty_app;

CREATE TABLE authenticators (
  user_id uuid NOT NULL,
  secret bytea NOT NULL,
  last_step integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT authenticators_pkey PRIMARY KEY (user_id),
  CONSTRAINT authenticators_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE authenticators ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON authenticators AS PERMISSIVE FOR ALL TO PUBLIC
  USING (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid)
  WITH CHECK (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (last_step, last_used_at) ON authenticators TO loyalty_app;

CREATE TABLE balances (
  merchant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  principal bigint DEFAULT 0 NOT NULL,
  bonus bigint DEFAULT 0 NOT NULL,
  points bigint DEFAULT 0 NOT NULL,
  holds_value boolean GENERATED ALWAYS AS ((principal + bonus) > 0) STORED,
  blocked_at timestamp(3) with time zone,
  merged_at timestamp(3) with time zone,
  gained_on date,
  gained_points bigint DEFAULT 0 NOT NULL,
  gained_value bigint DEFAULT 0 NOT NULL,
  unmerged_at timestamp(3) with time zone,
  CONSTRAINT balances_merchant_id_customer_id_pk PRIMARY KEY (merchant_id, customer_id),
  CONSTRAINT balances_merchant_id_customer_id_customers_merchant_id_id_fk FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT balances_bonus CHECK (bonus >= 0 AND bonus <= '1000000000000000'::bigint),
  CONSTRAINT balances_points CHECK (points >= 0 AND points <= '900000000000'::bigint),
  CONSTRAINT balances_principal CHECK (principal >= 0 AND principal <= '1000000000000000'::bigint)
);
ALTER TABLE balances ENABLE ROW LEVEL SECURITY;
CREATE INDEX balances_blocked ON balances USING btree (merchant_id, customer_id) WHERE blocked_at IS NOT NULL;
CREATE INDEX balances_holding ON balances USING btree (merchant_id, customer_id) WHERE holds_value;
CREATE POLICY tenant ON balances AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (principal, bonus, points, blocked_at, merged_at, gained_on, gained_points, gained_value, unmerged_at) ON balances TO loyalty_app;

CREATE TABLE bill_payments (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  bill_uid uuid NOT NULL,
  state text DEFAULT 'held'::text NOT NULL,
  amount bigint NOT NULL,
  tip bigint DEFAULT 0 NOT NULL,
  kept_amount bigint DEFAULT 0 NOT NULL,
  kept_tip bigint DEFAULT 0 NOT NULL,
  returned_amount bigint DEFAULT 0 NOT NULL,
  held_until timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  taken_at timestamp(3) with time zone,
  guest_id uuid,
  guest_name text DEFAULT ''::text NOT NULL,
  checkout_id text,
  checkout_url text,
  checkout_ended boolean DEFAULT false NOT NULL,
  returned_at timestamp(3) with time zone,
  refund_refused_at timestamp(3) with time zone,
  payment_id text,
  points_due_for bigint DEFAULT 0 NOT NULL,
  points_kept_for bigint DEFAULT 0 NOT NULL,
  card_account_id text,
  CONSTRAINT bill_payments_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT bill_payments_merchant_id_bill_uid_bills_merchant_id_id_fk FOREIGN KEY (merchant_id, bill_uid) REFERENCES bills(merchant_id, id),
  CONSTRAINT bill_payments_amounts CHECK (amount > 0 AND tip >= 0),
  CONSTRAINT bill_payments_kept CHECK (kept_amount >= 0 AND kept_amount <= amount AND kept_tip >= 0 AND kept_tip <= tip AND (state = 'taken'::text OR (kept_amount + kept_tip + returned_amount) = 0)),
  CONSTRAINT bill_payments_points_due CHECK (LEAST(points_due_for, points_kept_for) >= 0 AND (points_due_for + points_kept_for) <= (amount - kept_amount)),
  CONSTRAINT bill_payments_returned CHECK (returned_amount >= 0 AND returned_amount <= (amount + tip - kept_amount - kept_tip)),
  CONSTRAINT bill_payments_state CHECK (state = ANY (ARRAY['held'::text, 'released'::text, 'taken'::text])),
  CONSTRAINT bill_payments_taken CHECK ((state = 'taken'::text) = (taken_at IS NOT NULL))
);
ALTER TABLE bill_payments ENABLE ROW LEVEL SECURITY;
CREATE INDEX bill_payments_bill ON bill_payments USING btree (merchant_id, bill_uid, id);
CREATE INDEX bill_payments_payment ON bill_payments USING btree (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX bill_payments_taken_at ON bill_payments USING btree (merchant_id, taken_at, id) WHERE state = 'taken'::text;
CREATE INDEX bill_payments_unsettled ON bill_payments USING btree (created_at) WHERE NOT checkout_ended OR state = 'taken'::text AND (amount + tip - kept_amount - kept_tip) > returned_amount;
CREATE POLICY stores ON bill_payments AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM bills p
      WHERE p.merchant_id = bill_payments.merchant_id AND p.id = bill_payments.bill_uid))
END);
CREATE POLICY tenant ON bill_payments AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (state, kept_amount, kept_tip, returned_amount, held_until, taken_at, checkout_id, checkout_url, checkout_ended, returned_at, refund_refused_at, payment_id, points_due_for, points_kept_for) ON bill_payments TO loyalty_app;

CREATE TABLE bills (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid NOT NULL,
  bill_id text NOT NULL,
  state text DEFAULT 'open'::text NOT NULL,
  revision integer NOT NULL,
  request_hash bytea NOT NULL,
  table_name text,
  lines jsonb NOT NULL,
  subtotal bigint NOT NULL,
  discount bigint NOT NULL,
  service_charge bigint NOT NULL,
  tax bigint NOT NULL,
  rounding bigint NOT NULL,
  total bigint NOT NULL,
  discount_transaction_ids text[] DEFAULT '{}'::text[] NOT NULL,
  held_amount bigint DEFAULT 0 NOT NULL,
  paid_amount bigint DEFAULT 0 NOT NULL,
  limit_amount bigint DEFAULT 0 NOT NULL,
  counts_from timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  closed_at timestamp(3) with time zone,
  paid_at_till jsonb DEFAULT '[]'::jsonb NOT NULL,
  tax_included jsonb DEFAULT '[]'::jsonb NOT NULL,
  closed_by uuid,
  settling_until timestamp(3) with time zone,
  listed_at_till jsonb,
  reopened_at timestamp(3) with time zone,
  sales_from timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  CONSTRAINT bills_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT bills_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT bills_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT bills_closed CHECK ((state = 'open'::text) = (closed_at IS NULL)),
  CONSTRAINT bills_revision CHECK (revision > 0),
  CONSTRAINT bills_state CHECK (state = ANY (ARRAY['open'::text, 'closed'::text, 'void'::text])),
  CONSTRAINT bills_taken CHECK (held_amount >= 0 AND paid_amount >= 0 AND (held_amount + paid_amount) <= limit_amount),
  CONSTRAINT bills_total CHECK (total = (subtotal - discount + service_charge + tax + rounding) AND total >= 0)
);
ALTER TABLE bills ENABLE ROW LEVEL SECURITY;
CREATE INDEX bills_bill ON bills USING btree (merchant_id, store_id, bill_id, id);
CREATE INDEX bills_forgotten ON bills USING btree (updated_at) WHERE state = 'open'::text AND paid_amount > 0;
CREATE UNIQUE INDEX bills_open ON bills USING btree (merchant_id, store_id, bill_id) WHERE state = 'open'::text;
CREATE INDEX bills_reopened ON bills USING btree (merchant_id, store_id, id) WHERE reopened_at IS NOT NULL;
CREATE INDEX bills_state ON bills USING btree (merchant_id, store_id, state, id);
CREATE POLICY stores ON bills AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON bills AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (state, revision, request_hash, table_name, lines, subtotal, discount, service_charge, tax, rounding, total, discount_transaction_ids, held_amount, paid_amount, limit_amount, updated_at, closed_at, paid_at_till, tax_included, closed_by, settling_until, listed_at_till, reopened_at, sent_at) ON bills TO loyalty_app;

CREATE TABLE card_disputes (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  service_id text NOT NULL,
  top_up_request_id uuid,
  bill_payment_id uuid,
  store_id uuid,
  amount bigint NOT NULL,
  reason text NOT NULL,
  status text NOT NULL,
  respond_by timestamp(3) with time zone,
  opened_at timestamp(3) with time zone NOT NULL,
  closed_at timestamp(3) with time zone,
  block_uid uuid,
  revision integer DEFAULT 1 NOT NULL,
  acknowledged_at timestamp(3) with time zone,
  acknowledged_by uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT card_disputes_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT card_disputes_service_id UNIQUE (merchant_id, service_id),
  CONSTRAINT card_disputes_acknowledged_by_users_id_fk FOREIGN KEY (acknowledged_by) REFERENCES users(id),
  CONSTRAINT card_disputes_merchant_id_bill_payment_id_bill_payments_merchan FOREIGN KEY (merchant_id, bill_payment_id) REFERENCES bill_payments(merchant_id, id),
  CONSTRAINT card_disputes_merchant_id_block_uid_transactions_merchant_id_ui FOREIGN KEY (merchant_id, block_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT card_disputes_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT card_disputes_merchant_id_top_up_request_id_top_up_requests_mer FOREIGN KEY (merchant_id, top_up_request_id) REFERENCES top_up_requests(merchant_id, id),
  CONSTRAINT card_disputes_amount CHECK (amount > 0),
  CONSTRAINT card_disputes_closed CHECK ((status = ANY (ARRAY['won'::text, 'lost'::text])) = (closed_at IS NOT NULL)),
  CONSTRAINT card_disputes_status CHECK (status = ANY (ARRAY['needs_response'::text, 'under_review'::text, 'won'::text, 'lost'::text])),
  CONSTRAINT card_disputes_store CHECK ((bill_payment_id IS NULL) = (store_id IS NULL)),
  CONSTRAINT card_disputes_subject CHECK (num_nonnulls(top_up_request_id, bill_payment_id) = 1)
);
ALTER TABLE card_disputes ENABLE ROW LEVEL SECURITY;
CREATE INDEX card_disputes_bill_payment ON card_disputes USING btree (merchant_id, bill_payment_id) WHERE bill_payment_id IS NOT NULL;
CREATE INDEX card_disputes_block ON card_disputes USING btree (merchant_id, block_uid) WHERE block_uid IS NOT NULL;
CREATE INDEX card_disputes_open ON card_disputes USING btree (merchant_id, respond_by) WHERE status = 'needs_response'::text OR status = 'lost'::text AND acknowledged_at IS NULL;
CREATE INDEX card_disputes_top_up ON card_disputes USING btree (merchant_id, top_up_request_id) WHERE top_up_request_id IS NOT NULL;
CREATE POLICY stores ON card_disputes AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON card_disputes AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (amount, reason, status, respond_by, closed_at, block_uid, revision, acknowledged_at, acknowledged_by) ON card_disputes TO loyalty_app;

CREATE TABLE cash_up_counts (
  merchant_id uuid NOT NULL,
  cash_up_id uuid NOT NULL,
  payment_method text NOT NULL,
  expected bigint NOT NULL,
  counted bigint NOT NULL,
  CONSTRAINT cash_up_counts_merchant_id_cash_up_id_payment_method_pk PRIMARY KEY (merchant_id, cash_up_id, payment_method),
  CONSTRAINT cash_up_counts_merchant_id_cash_up_id_cash_ups_merchant_id_id_f FOREIGN KEY (merchant_id, cash_up_id) REFERENCES cash_ups(merchant_id, id)
);
ALTER TABLE cash_up_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON cash_up_counts AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM cash_ups p
      WHERE p.merchant_id = cash_up_counts.merchant_id AND p.id = cash_up_counts.cash_up_id))
END);
CREATE POLICY tenant ON cash_up_counts AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON cash_up_counts TO loyalty_app;

CREATE TABLE cash_up_entries (
  merchant_id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  is_void boolean NOT NULL,
  cash_up_id uuid NOT NULL,
  CONSTRAINT cash_up_entries_merchant_id_transaction_uid_is_void_pk PRIMARY KEY (merchant_id, transaction_uid, is_void),
  CONSTRAINT cash_up_entries_merchant_id_cash_up_id_cash_ups_merchant_id_id_ FOREIGN KEY (merchant_id, cash_up_id) REFERENCES cash_ups(merchant_id, id),
  CONSTRAINT cash_up_entries_merchant_id_transaction_uid_transactions_mercha FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid)
);
ALTER TABLE cash_up_entries ENABLE ROW LEVEL SECURITY;
CREATE INDEX cash_up_entries_cash_up ON cash_up_entries USING btree (merchant_id, cash_up_id);
CREATE POLICY stores ON cash_up_entries AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM cash_ups p
      WHERE p.merchant_id = cash_up_entries.merchant_id AND p.id = cash_up_entries.cash_up_id))
END);
CREATE POLICY tenant ON cash_up_entries AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON cash_up_entries TO loyalty_app;

CREATE TABLE cash_ups (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid NOT NULL,
  user_id uuid NOT NULL,
  since timestamp(3) with time zone NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  replaces_id uuid,
  reason text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT cash_ups_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT cash_ups_replaced UNIQUE (merchant_id, replaces_id),
  CONSTRAINT cash_ups_merchant_id_replaces_id_cash_ups_merchant_id_id_fk FOREIGN KEY (merchant_id, replaces_id) REFERENCES cash_ups(merchant_id, id),
  CONSTRAINT cash_ups_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT cash_ups_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT cash_ups_reason CHECK ((replaces_id IS NULL) = (reason IS NULL)),
  CONSTRAINT cash_ups_shift CHECK (since < until)
);
ALTER TABLE cash_ups ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX cash_ups_of_shift ON cash_ups USING btree (merchant_id, store_id, since) WHERE replaces_id IS NULL;
CREATE INDEX cash_ups_store ON cash_ups USING btree (merchant_id, store_id, until);
CREATE POLICY stores ON cash_ups AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON cash_ups AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON cash_ups TO loyalty_app;

CREATE TABLE credit_days (
  merchant_id uuid NOT NULL,
  part balance_part NOT NULL,
  granted_on date NOT NULL,
  expires_on date,
  remaining bigint NOT NULL,
  CONSTRAINT credit_days_key UNIQUE NULLS NOT DISTINCT (merchant_id, part, granted_on, expires_on)
);
ALTER TABLE credit_days REPLICA IDENTITY FULL;
ALTER TABLE credit_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON credit_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (remaining) ON credit_days TO loyalty_app;

CREATE TABLE customer_import_rows (
  merchant_id uuid NOT NULL,
  import_id uuid NOT NULL,
  row_number integer NOT NULL,
  cells text[] NOT NULL,
  problems text[],
  CONSTRAINT customer_import_rows_merchant_id_import_id_row_number_pk PRIMARY KEY (merchant_id, import_id, row_number),
  CONSTRAINT customer_import_rows_merchant_id_import_id_customer_imports_mer FOREIGN KEY (merchant_id, import_id) REFERENCES customer_imports(merchant_id, id)
);
ALTER TABLE customer_import_rows ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON customer_import_rows AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (problems) ON customer_import_rows TO loyalty_app;

CREATE TABLE customer_imports (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  file_name text NOT NULL,
  state customer_import_state NOT NULL,
  headings text[] NOT NULL,
  mapping jsonb,
  row_count integer DEFAULT 0 NOT NULL,
  done_through integer DEFAULT 1 NOT NULL,
  enrolled_count integer DEFAULT 0 NOT NULL,
  problem_count integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  started_at timestamp(3) with time zone,
  updated_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  warning_count integer DEFAULT 0 NOT NULL,
  openings jsonb,
  undo_user_id uuid,
  undo_started_at timestamp(3) with time zone,
  undone_through uuid,
  undone_at timestamp(3) with time zone,
  added_count integer DEFAULT 0 NOT NULL,
  source jsonb,
  CONSTRAINT customer_imports_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT customer_imports_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT customer_imports_undo_user_id_users_id_fk FOREIGN KEY (undo_user_id) REFERENCES users(id),
  CONSTRAINT customer_imports_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT customer_imports_finished CHECK ((state = 'finished'::customer_import_state) = (finished_at IS NOT NULL)),
  CONSTRAINT customer_imports_started CHECK ((state = ANY (ARRAY['running'::customer_import_state, 'finished'::customer_import_state])) = (started_at IS NOT NULL)),
  CONSTRAINT customer_imports_undone CHECK ((undo_user_id IS NULL) = (undo_started_at IS NULL) AND (undo_started_at IS NULL OR finished_at IS NOT NULL) AND (undone_at IS NULL OR undo_started_at IS NOT NULL))
);
ALTER TABLE customer_imports ENABLE ROW LEVEL SECURITY;
CREATE INDEX customer_imports_open ON customer_imports USING btree (updated_at) WHERE finished_at IS NULL;
CREATE POLICY tenant ON customer_imports AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (state, headings, mapping, row_count, done_through, enrolled_count, problem_count, started_at, updated_at, finished_at, warning_count, openings, undo_user_id, undo_started_at, undone_through, undone_at, added_count, source) ON customer_imports TO loyalty_app;

CREATE TABLE customer_notes (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  edited_at timestamp(3) with time zone,
  CONSTRAINT customer_notes_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT customer_notes_merchant_id_customer_id_customers_merchant_id_id FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT customer_notes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE customer_notes ENABLE ROW LEVEL SECURITY;
CREATE INDEX customer_notes_customer ON customer_notes USING btree (merchant_id, customer_id, created_at);
CREATE POLICY tenant ON customer_notes AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (customer_id, text, edited_at) ON customer_notes TO loyalty_app;

CREATE TABLE customer_pins (
  merchant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  hash bytea NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  lockouts integer DEFAULT 0 NOT NULL,
  locked_until timestamp(3) with time zone,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_pins_merchant_id_customer_id_pk PRIMARY KEY (merchant_id, customer_id),
  CONSTRAINT customer_pins_merchant_id_customer_id_customers_merchant_id_id_ FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id)
);
ALTER TABLE customer_pins ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON customer_pins AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE ON customer_pins TO loyalty_app;

CREATE TABLE customer_terms (
  merchant_id uuid NOT NULL,
  term text COLLATE "C" NOT NULL,
  customer_id uuid NOT NULL,
  CONSTRAINT customer_terms_merchant_id_term_customer_id_pk PRIMARY KEY (merchant_id, term, customer_id)
);
ALTER TABLE customer_terms ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON customer_terms AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON customer_terms TO loyalty_app;

CREATE TABLE customers (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  given_name text NOT NULL,
  last_name text NOT NULL,
  phone text,
  email text,
  email_key text GENERATED ALWAYS AS (lower(email)) STORED,
  name_key text COLLATE "C" GENERATED ALWAYS AS ("left"(lower(regexp_replace(NORMALIZE((given_name || ' '::text) || last_name, NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text)), 80)) STORED NOT NULL,
  birthday date,
  birth_day smallint GENERATED ALWAYS AS ((EXTRACT(month FROM birthday) * 100::numeric + EXTRACT(day FROM birthday))) STORED,
  language text,
  messages_opted_out_at timestamp(3) with time zone,
  joined_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  privacy_accepted_at timestamp(3) with time zone,
  messages_opted_in_at timestamp(3) with time zone,
  merged_into uuid,
  sign_up_vouchers_due boolean DEFAULT false NOT NULL,
  merge_undo jsonb,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT customers_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT customers_email UNIQUE (merchant_id, email_key),
  CONSTRAINT customers_phone UNIQUE (merchant_id, phone),
  CONSTRAINT customers_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT customers_merchant_id_merged_into_customers_merchant_id_id_fk FOREIGN KEY (merchant_id, merged_into) REFERENCES customers(merchant_id, id),
  CONSTRAINT customers_merged_into_another CHECK (merged_into <> id)
);
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
CREATE INDEX customers_birth_day ON customers USING btree (merchant_id, birth_day, id) WHERE birth_day IS NOT NULL;
CREATE INDEX customers_joined ON customers USING btree (merchant_id, joined_at, id);
CREATE INDEX customers_merged ON customers USING btree (merchant_id, merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX customers_name ON customers USING btree (merchant_id, name_key, id);
CREATE POLICY tenant ON customers AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
CREATE TRIGGER index_changed AFTER UPDATE OF given_name, last_name, phone, email, erased_at ON customers FOR EACH ROW EXECUTE FUNCTION index_changed_customer();
CREATE TRIGGER index_new AFTER INSERT ON customers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION index_new_customers();
GRANT INSERT, SELECT, UPDATE ON customers TO loyalty_app;

CREATE TABLE diner_codes (
  merchant_id uuid NOT NULL,
  phone text NOT NULL,
  id uuid NOT NULL,
  hash bytea NOT NULL,
  failures smallint DEFAULT 0 NOT NULL,
  sent_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT diner_codes_merchant_id_phone_pk PRIMARY KEY (merchant_id, phone),
  CONSTRAINT diner_codes_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT diner_codes_failures CHECK (failures >= 0 AND failures <= 5)
);
ALTER TABLE diner_codes ENABLE ROW LEVEL SECURITY;
CREATE INDEX diner_codes_expiry ON diner_codes USING btree (expires_at);
CREATE POLICY tenant ON diner_codes AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (id, hash, failures, sent_at, expires_at) ON diner_codes TO loyalty_app;

CREATE TABLE diner_sessions (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  phone text NOT NULL,
  customer_id uuid,
  verified_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT diner_sessions_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT diner_sessions_token UNIQUE (merchant_id, token_hash),
  CONSTRAINT diner_sessions_merchant_id_customer_id_customers_merchant_id_id FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT diner_sessions_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
ALTER TABLE diner_sessions ENABLE ROW LEVEL SECURITY;
CREATE INDEX diner_sessions_customer ON diner_sessions USING btree (merchant_id, customer_id);
CREATE INDEX diner_sessions_expiry ON diner_sessions USING btree (expires_at);
CREATE INDEX diner_sessions_phone ON diner_sessions USING btree (merchant_id, phone);
CREATE POLICY tenant ON diner_sessions AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (customer_id, expires_at) ON diner_sessions TO loyalty_app;

CREATE TABLE dining_tables (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid NOT NULL,
  name text NOT NULL,
  area text DEFAULT ''::text NOT NULL,
  seats integer,
  token_hash bytea NOT NULL,
  card_number integer DEFAULT 1 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  removed_at timestamp(3) with time zone,
  "position" integer,
  CONSTRAINT dining_tables_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT dining_tables_token UNIQUE (token_hash),
  CONSTRAINT dining_tables_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT dining_tables_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT dining_tables_seats CHECK (seats >= 1 AND seats <= 1000)
);
ALTER TABLE dining_tables ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX dining_tables_name ON dining_tables USING btree (merchant_id, store_id, name) WHERE removed_at IS NULL;
CREATE INDEX dining_tables_store ON dining_tables USING btree (merchant_id, store_id, id);
CREATE POLICY stores ON dining_tables AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON dining_tables AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (name, area, seats, token_hash, card_number, removed_at, "position") ON dining_tables TO loyalty_app;

CREATE TABLE events (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  store_id uuid,
  customer_id uuid,
  occurred_at timestamp(3) with time zone NOT NULL,
  data jsonb,
  xid bigint DEFAULT GREATEST(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1) NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT events_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT events_order UNIQUE (merchant_id, xid, seq),
  CONSTRAINT events_merchant_id_customer_id_customers_merchant_id_id_fk FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT events_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT events_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE INDEX events_customer ON events USING btree (merchant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE POLICY stores ON events AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id IS NULL OR (store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[]))
END);
CREATE POLICY tenant ON events AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
CREATE TRIGGER arriving BEFORE INSERT OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION place_before_own_events();
ALTER TABLE events ENABLE REPLICA TRIGGER arriving;
GRANT INSERT, SELECT, UPDATE (data) ON events TO loyalty_app;

CREATE TABLE invitation_stores (
  merchant_id uuid NOT NULL,
  invitation_id uuid NOT NULL,
  store_id uuid NOT NULL,
  CONSTRAINT invitation_stores_merchant_id_invitation_id_store_id_pk PRIMARY KEY (merchant_id, invitation_id, store_id),
  CONSTRAINT invitation_stores_merchant_id_invitation_id_invitations_merchan FOREIGN KEY (merchant_id, invitation_id) REFERENCES invitations(merchant_id, id) ON DELETE CASCADE,
  CONSTRAINT invitation_stores_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE invitation_stores ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON invitation_stores AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON invitation_stores AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON invitation_stores TO loyalty_app;

CREATE TABLE invitations (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  role staff_role NOT NULL,
  token_hash bytea NOT NULL,
  mail_id uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  all_stores boolean DEFAULT true NOT NULL,
  CONSTRAINT invitations_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT invitations_email UNIQUE (merchant_id, email),
  CONSTRAINT invitations_token UNIQUE (token_hash),
  CONSTRAINT invitations_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT invitations_stores CHECK (all_stores OR role <> 'owner'::staff_role)
);
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (token_hash, mail_id, expires_at) ON invitations TO loyalty_app;

CREATE TABLE job_runs (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  task text NOT NULL,
  requested_by uuid,
  started_at timestamp(3) with time zone,
  updated_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  done integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  error text,
  CONSTRAINT job_runs_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT job_runs_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT job_runs_error CHECK ((error IS NULL) = (failures = 0))
);
ALTER TABLE job_runs ENABLE ROW LEVEL SECURITY;
CREATE INDEX job_runs_task ON job_runs USING btree (merchant_id, task, id);
CREATE INDEX job_runs_updated_at ON job_runs USING btree (updated_at);
CREATE POLICY tenant ON job_runs AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (started_at, updated_at, ended_at, done, failures, error) ON job_runs TO loyalty_app;

CREATE TABLE ledger_days (
  merchant_id uuid NOT NULL,
  day date NOT NULL,
  store_id uuid,
  part balance_part NOT NULL,
  granted bigint NOT NULL,
  spent bigint NOT NULL,
  expired bigint NOT NULL,
  adjusted bigint NOT NULL,
  CONSTRAINT ledger_days_key UNIQUE NULLS NOT DISTINCT (merchant_id, day, store_id, part),
  CONSTRAINT ledger_days_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE ledger_days REPLICA IDENTITY FULL;
ALTER TABLE ledger_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON ledger_days AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON ledger_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (granted, spent, expired, adjusted) ON ledger_days TO loyalty_app;

CREATE TABLE ledger_entries (
  merchant_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  transaction_uid uuid NOT NULL,
  customer_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  part balance_part NOT NULL,
  kind entry_kind NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ledger_entries_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT ledger_entries_merchant_id_lot_id_lots_merchant_id_id_fk FOREIGN KEY (merchant_id, lot_id) REFERENCES lots(merchant_id, id),
  CONSTRAINT ledger_entries_merchant_id_transaction_uid_transactions_merchan FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT ledger_entries_amount CHECK (amount <> 0)
);
ALTER TABLE ledger_entries ENABLE ROW LEVEL SECURITY;
CREATE INDEX ledger_entries_customer ON ledger_entries USING btree (merchant_id, customer_id, id);
CREATE INDEX ledger_entries_expiry ON ledger_entries USING btree (merchant_id, lot_id) WHERE kind = 'expiry'::entry_kind;
CREATE INDEX ledger_entries_transaction ON ledger_entries USING btree (merchant_id, transaction_uid);
CREATE POLICY tenant ON ledger_entries AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON ledger_entries TO loyalty_app;

CREATE TABLE lots (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  part balance_part NOT NULL,
  granted bigint NOT NULL,
  remaining bigint NOT NULL,
  expires_at timestamp(3) with time zone,
  open boolean GENERATED ALWAYS AS (remaining > 0) STORED,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  revived_at timestamp(3) with time zone,
  expired_at timestamp(3) with time zone,
  CONSTRAINT lots_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT lots_merchant_id_customer_id_balances_merchant_id_customer_id_f FOREIGN KEY (merchant_id, customer_id) REFERENCES balances(merchant_id, customer_id),
  CONSTRAINT lots_merchant_id_transaction_uid_transactions_merchant_id_uid_f FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT lots_principal_keeps CHECK (part <> 'principal'::balance_part OR expires_at IS NULL),
  CONSTRAINT lots_remaining CHECK (granted > 0 AND remaining >= 0 AND remaining <= granted)
);
ALTER TABLE lots ENABLE ROW LEVEL SECURITY;
CREATE INDEX lots_bonus_expiring ON lots USING btree (merchant_id, expires_at, customer_id) WHERE open AND part = 'bonus'::balance_part AND expires_at IS NOT NULL;
CREATE INDEX lots_expiring ON lots USING btree (merchant_id, expires_at) WHERE open AND expires_at IS NOT NULL;
CREATE INDEX lots_open ON lots USING btree (merchant_id, customer_id) WHERE open;
CREATE INDEX lots_transaction ON lots USING btree (merchant_id, transaction_uid);
CREATE POLICY tenant ON lots AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (remaining) ON lots TO loyalty_app;

CREATE TABLE mails (
  id uuid NOT NULL,
  recipient text NOT NULL,
  letter bytea,
  state mail_state NOT NULL,
  failure text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_letter CHECK ((state = ANY (ARRAY['queued'::mail_state, 'inbox'::mail_state])) OR letter IS NULL)
);
ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
CREATE INDEX mails_created_at ON mails USING btree (created_at);
CREATE POLICY anyone_forgets ON mails AS PERMISSIVE FOR DELETE TO PUBLIC
  USING (true);
CREATE POLICY anyone_queues ON mails AS PERMISSIVE FOR INSERT TO PUBLIC
  WITH CHECK (state = ANY (ARRAY['queued'::mail_state, 'inbox'::mail_state]));
CREATE POLICY anyone_reads ON mails AS PERMISSIVE FOR SELECT TO PUBLIC
  USING (true);
CREATE POLICY queued_changes ON mails AS PERMISSIVE FOR UPDATE TO PUBLIC
  USING (state = 'queued'::mail_state)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (letter, state, failure, updated_at) ON mails TO loyalty_app;

CREATE TABLE membership_stores (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  store_id uuid NOT NULL,
  CONSTRAINT membership_stores_merchant_id_user_id_store_id_pk PRIMARY KEY (merchant_id, user_id, store_id),
  CONSTRAINT membership_stores_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT membership_stores_merchant_id_user_id_memberships_merchant_id_u FOREIGN KEY (merchant_id, user_id) REFERENCES memberships(merchant_id, user_id) ON DELETE CASCADE
);
ALTER TABLE membership_stores ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON membership_stores AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON membership_stores AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON membership_stores TO loyalty_app;

CREATE TABLE memberships (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role staff_role NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  summary_language text,
  summarized_until date,
  all_stores boolean DEFAULT true NOT NULL,
  CONSTRAINT memberships_merchant_id_user_id_pk PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT memberships_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT memberships_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT memberships_stores CHECK (all_stores OR role <> 'owner'::staff_role AND summary_language IS NULL),
  CONSTRAINT memberships_summary CHECK ((summary_language IS NULL) = (summarized_until IS NULL))
);
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
CREATE INDEX memberships_user ON memberships USING btree (user_id);
CREATE POLICY tenant ON memberships AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (role, summary_language, summarized_until, all_stores) ON memberships TO loyalty_app;

CREATE TABLE menu_categories (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  "position" integer NOT NULL,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  station text DEFAULT ''::text NOT NULL,
  CONSTRAINT menu_categories_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT menu_categories_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
ALTER TABLE menu_categories ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX menu_categories_name ON menu_categories USING btree (merchant_id, name) WHERE archived_at IS NULL;
CREATE POLICY tenant ON menu_categories AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (name, translations, "position", archived_at, station) ON menu_categories TO loyalty_app;

CREATE TABLE menu_item_option_groups (
  merchant_id uuid NOT NULL,
  item_id uuid NOT NULL,
  group_id uuid NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT menu_item_option_groups_merchant_id_item_id_group_id_pk PRIMARY KEY (merchant_id, item_id, group_id),
  CONSTRAINT menu_item_option_groups_merchant_id_group_id_menu_option_groups FOREIGN KEY (merchant_id, group_id) REFERENCES menu_option_groups(merchant_id, id),
  CONSTRAINT menu_item_option_groups_merchant_id_item_id_menu_items_merchant FOREIGN KEY (merchant_id, item_id) REFERENCES menu_items(merchant_id, id)
);
ALTER TABLE menu_item_option_groups ENABLE ROW LEVEL SECURITY;
CREATE INDEX menu_item_option_groups_group ON menu_item_option_groups USING btree (merchant_id, group_id);
CREATE POLICY tenant ON menu_item_option_groups AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON menu_item_option_groups TO loyalty_app;

CREATE TABLE menu_item_stores (
  merchant_id uuid NOT NULL,
  item_id uuid NOT NULL,
  store_id uuid NOT NULL,
  CONSTRAINT menu_item_stores_merchant_id_item_id_store_id_pk PRIMARY KEY (merchant_id, item_id, store_id),
  CONSTRAINT menu_item_stores_merchant_id_item_id_menu_items_merchant_id_id_ FOREIGN KEY (merchant_id, item_id) REFERENCES menu_items(merchant_id, id),
  CONSTRAINT menu_item_stores_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE menu_item_stores ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON menu_item_stores AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON menu_item_stores AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON menu_item_stores TO loyalty_app;

CREATE TABLE menu_items (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  category_id uuid NOT NULL,
  plu text NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  price bigint NOT NULL,
  allergens text[] DEFAULT '{}'::text[] NOT NULL,
  photo_id uuid,
  all_stores boolean DEFAULT true NOT NULL,
  "position" integer NOT NULL,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  diets text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT menu_items_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT menu_items_plu UNIQUE (merchant_id, plu),
  CONSTRAINT menu_items_merchant_id_category_id_menu_categories_merchant_id_ FOREIGN KEY (merchant_id, category_id) REFERENCES menu_categories(merchant_id, id),
  CONSTRAINT menu_items_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT menu_items_merchant_id_photo_id_menu_photos_merchant_id_id_fk FOREIGN KEY (merchant_id, photo_id) REFERENCES menu_photos(merchant_id, id),
  CONSTRAINT menu_items_price CHECK (price >= 0)
);
ALTER TABLE menu_items ENABLE ROW LEVEL SECURITY;
CREATE INDEX menu_items_category ON menu_items USING btree (merchant_id, category_id, "position");
CREATE INDEX menu_items_photo ON menu_items USING btree (merchant_id, photo_id) WHERE photo_id IS NOT NULL;
CREATE POLICY tenant ON menu_items AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (category_id, plu, name, description, translations, price, allergens, photo_id, all_stores, "position", archived_at, diets) ON menu_items TO loyalty_app;

CREATE TABLE menu_option_groups (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  minimum smallint NOT NULL,
  maximum smallint NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT menu_option_groups_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT menu_option_groups_name UNIQUE (merchant_id, name),
  CONSTRAINT menu_option_groups_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT menu_option_groups_bounds CHECK (minimum >= 0 AND maximum >= 1 AND maximum >= minimum)
);
ALTER TABLE menu_option_groups ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON menu_option_groups AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (name, translations, minimum, maximum) ON menu_option_groups TO loyalty_app;

CREATE TABLE menu_options (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  name text NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  price bigint NOT NULL,
  plu text,
  "position" integer NOT NULL,
  allergens text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT menu_options_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT menu_options_merchant_id_group_id_menu_option_groups_merchant_i FOREIGN KEY (merchant_id, group_id) REFERENCES menu_option_groups(merchant_id, id)
);
ALTER TABLE menu_options ENABLE ROW LEVEL SECURITY;
CREATE INDEX menu_options_group ON menu_options USING btree (merchant_id, group_id, "position");
CREATE POLICY tenant ON menu_options AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (name, translations, price, plu, "position", allergens) ON menu_options TO loyalty_app;

CREATE TABLE menu_photos (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  hash bytea NOT NULL,
  small bytea NOT NULL,
  large bytea NOT NULL,
  uploaded_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT menu_photos_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT menu_photos_hash UNIQUE (merchant_id, hash),
  CONSTRAINT menu_photos_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
ALTER TABLE menu_photos ENABLE ROW LEVEL SECURITY;
CREATE INDEX menu_photos_id ON menu_photos USING btree (id);
CREATE POLICY tenant ON menu_photos AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (uploaded_at) ON menu_photos TO loyalty_app;

CREATE TABLE merchant_moves (
  merchant_id uuid NOT NULL,
  state text NOT NULL,
  cell text NOT NULL,
  stopped_at timestamp(3) with time zone,
  step text,
  started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  left_at timestamp(3) with time zone,
  CONSTRAINT merchant_moves_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_moves_left CHECK ((state = 'left'::text) = (left_at IS NOT NULL)),
  CONSTRAINT merchant_moves_state CHECK (state = ANY (ARRAY['leaving'::text, 'arriving'::text, 'left'::text])),
  CONSTRAINT merchant_moves_stopped CHECK (state <> 'arriving'::text OR stopped_at IS NULL)
);
ALTER TABLE merchant_moves ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON merchant_moves AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT SELECT ON merchant_moves TO loyalty_app;

CREATE TABLE merchants (
  id uuid NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  time_zone text NOT NULL,
  locale text NOT NULL,
  pin_required boolean DEFAULT false NOT NULL,
  balance_limit bigint,
  earn_points integer DEFAULT 1 NOT NULL,
  earn_per_amount bigint DEFAULT 100 NOT NULL,
  point_value bigint DEFAULT 1 NOT NULL,
  min_redeem_points integer DEFAULT 1 NOT NULL,
  points_expiry_months integer,
  enrol_on_sale boolean DEFAULT false NOT NULL,
  clock_ahead_seconds integer DEFAULT 0 NOT NULL,
  clock_moved_at timestamp(3) with time zone,
  notice_kinds text[] DEFAULT '{}'::text[] NOT NULL,
  quiet_from text DEFAULT '21:00'::text,
  quiet_until text DEFAULT '09:00'::text,
  reminded_through timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  privacy_url text,
  logo_id uuid,
  tax_name text,
  tax_basis_points integer,
  tax_included boolean DEFAULT true NOT NULL,
  service_basis_points integer,
  service_included boolean DEFAULT false NOT NULL,
  cashier_refund_limit bigint DEFAULT 0 NOT NULL,
  late_order_minutes integer DEFAULT 15 NOT NULL,
  backdating_days integer DEFAULT 31 NOT NULL,
  earning_sale_limit bigint,
  customer_daily_points bigint,
  customer_daily_value bigint,
  key_daily_points bigint,
  key_daily_value bigint,
  codes_per_hour integer DEFAULT 200 NOT NULL,
  codes_per_day integer DEFAULT 1000 NOT NULL,
  code_countries text[],
  second_factor_of text DEFAULT 'nobody'::text NOT NULL,
  second_factor_from timestamp(3) with time zone,
  closed_at timestamp(3) with time zone,
  records_events boolean DEFAULT false NOT NULL,
  event_types text[] DEFAULT '{}'::text[],
  returned_value_days integer,
  points_on_net boolean DEFAULT false NOT NULL,
  day_starts_at smallint DEFAULT 0 NOT NULL,
  refuses_owing boolean DEFAULT false NOT NULL,
  no_points_plus text[] DEFAULT '{}'::text[] NOT NULL,
  no_points_category_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  cashier_daily_value bigint,
  cashier_daily_enrolments integer,
  manager_daily_value bigint,
  manager_daily_points bigint,
  manager_daily_vouchers integer,
  manager_daily_enrolments integer,
  confirm_above bigint,
  cash_out_keeps_bonus boolean DEFAULT false NOT NULL,
  sign_up_needs_phone boolean DEFAULT false NOT NULL,
  key_daily_sign_ups integer,
  accent_colour text,
  welcome text,
  new_customer_daily_value bigint,
  cashier_daily_vouchers integer DEFAULT 0,
  card_account_id text,
  card_account_state text,
  CONSTRAINT merchants_pkey PRIMARY KEY (id),
  CONSTRAINT merchants_logo FOREIGN KEY (id, logo_id) REFERENCES menu_photos(merchant_id, id),
  CONSTRAINT merchants_accent_colour CHECK (accent_colour ~ '^#[0-9a-f]{6}$'::text),
  CONSTRAINT merchants_backdating CHECK (backdating_days >= 1 AND backdating_days <= 31),
  CONSTRAINT merchants_card_account CHECK ((card_account_id IS NULL) = (card_account_state IS NULL) AND (card_account_state = ANY (ARRAY['onboarding'::text, 'active'::text, 'restricted'::text, 'disconnected'::text]))),
  CONSTRAINT merchants_cashier_refunds CHECK (cashier_refund_limit >= 0),
  CONSTRAINT merchants_cashier_vouchers CHECK (cashier_daily_vouchers >= 0),
  CONSTRAINT merchants_clock CHECK (clock_ahead_seconds >= 0 AND clock_ahead_seconds <= 63244800),
  CONSTRAINT merchants_codes CHECK (codes_per_hour >= 1 AND codes_per_hour <= 100000 AND codes_per_day >= 1 AND codes_per_day <= 1000000 AND cardinality(code_countries) > 0),
  CONSTRAINT merchants_confirm_above CHECK (confirm_above >= 0),
  CONSTRAINT merchants_daily_limits CHECK (LEAST(earning_sale_limit, customer_daily_points, customer_daily_value, key_daily_points, key_daily_value) > 0),
  CONSTRAINT merchants_day_starts_at CHECK (day_starts_at >= 0 AND day_starts_at <= 6),
  CONSTRAINT merchants_late_orders CHECK (late_order_minutes >= 1 AND late_order_minutes <= 240),
  CONSTRAINT merchants_new_customers CHECK (new_customer_daily_value > 0),
  CONSTRAINT merchants_points_rules CHECK (earn_points >= 0 AND earn_points <= 1000000 AND earn_per_amount > 0 AND point_value >= 0 AND point_value <= 10000 AND min_redeem_points > 0),
  CONSTRAINT merchants_quiet_hours CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from <> quiet_until AND quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text AND quiet_until ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text),
  CONSTRAINT merchants_returned_value CHECK (returned_value_days >= 1 AND returned_value_days <= 366),
  CONSTRAINT merchants_second_factor CHECK ((second_factor_of = ANY (ARRAY['nobody'::text, 'owners'::text, 'managers'::text, 'everybody'::text])) AND (second_factor_of = 'nobody'::text) = (second_factor_from IS NULL)),
  CONSTRAINT merchants_staff_limits CHECK (LEAST(cashier_daily_value, cashier_daily_enrolments::bigint, manager_daily_value, manager_daily_points, manager_daily_vouchers::bigint, manager_daily_enrolments::bigint) > 0),
  CONSTRAINT merchants_tax CHECK (tax_basis_points >= 1 AND tax_basis_points <= 10000 AND service_basis_points >= 1 AND service_basis_points <= 10000)
);
ALTER TABLE merchants ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX merchants_card_account_id ON merchants USING btree (card_account_id) WHERE card_account_id IS NOT NULL;
CREATE POLICY tenant ON merchants AS PERMISSIVE FOR ALL TO PUBLIC
  USING (id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT SELECT, UPDATE (name, currency, country, time_zone, locale, pin_required, balance_limit, earn_points, earn_per_amount, point_value, min_redeem_points, points_expiry_months, enrol_on_sale, clock_ahead_seconds, clock_moved_at, notice_kinds, quiet_from, quiet_until, reminded_through, privacy_url, logo_id, tax_name, tax_basis_points, tax_included, service_basis_points, service_included, cashier_refund_limit, late_order_minutes, backdating_days, earning_sale_limit, customer_daily_points, customer_daily_value, key_daily_points, key_daily_value, codes_per_hour, codes_per_day, code_countries, second_factor_of, second_factor_from, records_events, event_types, returned_value_days, points_on_net, day_starts_at, refuses_owing, no_points_plus, no_points_category_ids, cashier_daily_value, cashier_daily_enrolments, manager_daily_value, manager_daily_points, manager_daily_vouchers, manager_daily_enrolments, confirm_above, cash_out_keeps_bonus, key_daily_sign_ups, accent_colour, welcome, new_customer_daily_value, cashier_daily_vouchers, card_account_id, card_account_state) ON merchants TO loyalty_app;

CREATE TABLE message_templates (
  merchant_id uuid NOT NULL,
  kind text NOT NULL,
  language text NOT NULL,
  template_name text NOT NULL,
  body text NOT NULL,
  is_on boolean NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT message_templates_merchant_id_kind_language_pk PRIMARY KEY (merchant_id, kind, language),
  CONSTRAINT message_templates_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
ALTER TABLE message_templates ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON message_templates AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (template_name, body, is_on, updated_at) ON message_templates TO loyalty_app;

CREATE TABLE messages (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid,
  phone text,
  kind text NOT NULL,
  channel text NOT NULL,
  state message_state DEFAULT 'queued'::message_state NOT NULL,
  subject text,
  due_at timestamp(3) with time zone,
  secret bytea,
  attempts smallint DEFAULT 0 NOT NULL,
  provider_id text,
  failure jsonb,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT messages_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT messages_merchant_id_customer_id_customers_merchant_id_id_fk FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT messages_notice CHECK ((subject IS NULL) = (due_at IS NULL)),
  CONSTRAINT messages_recipient CHECK (num_nonnulls(customer_id, phone) = 1),
  CONSTRAINT messages_secret CHECK ((state = ANY (ARRAY['queued'::message_state, 'inbox'::message_state])) OR secret IS NULL)
);
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
CREATE INDEX messages_customer ON messages USING btree (merchant_id, customer_id, id);
CREATE INDEX messages_delivered ON messages USING btree (merchant_id, id) WHERE state = 'delivered'::message_state;
CREATE INDEX messages_due ON messages USING btree (merchant_id, due_at) WHERE state = 'queued'::message_state AND due_at IS NOT NULL;
CREATE INDEX messages_failed ON messages USING btree (merchant_id, id) WHERE state = 'failed'::message_state;
CREATE INDEX messages_inbox ON messages USING btree (merchant_id, id) WHERE state = 'inbox'::message_state;
CREATE INDEX messages_phone ON messages USING btree (merchant_id, phone, id) WHERE phone IS NOT NULL;
CREATE UNIQUE INDEX messages_provider_id ON messages USING btree (provider_id);
CREATE INDEX messages_queued ON messages USING btree (merchant_id, id) WHERE state = 'queued'::message_state;
CREATE INDEX messages_read ON messages USING btree (merchant_id, id) WHERE state = 'read'::message_state;
CREATE INDEX messages_sent ON messages USING btree (merchant_id, id) WHERE state = 'sent'::message_state;
CREATE INDEX messages_stranger ON messages USING btree (merchant_id, created_at) WHERE phone IS NOT NULL;
CREATE UNIQUE INDEX messages_subject ON messages USING btree (merchant_id, customer_id, kind, subject) WHERE subject IS NOT NULL;
CREATE INDEX messages_undelivered ON messages USING btree (merchant_id, created_at) WHERE state = 'queued'::message_state AND due_at IS NULL;
CREATE POLICY tenant ON messages AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (customer_id, phone, state, due_at, secret, attempts, provider_id, failure, updated_at) ON messages TO loyalty_app;

CREATE TABLE moved_references (
  kind text NOT NULL,
  reference bytea NOT NULL,
  merchant_id uuid NOT NULL,
  CONSTRAINT moved_references_merchant_id_kind_reference_pk PRIMARY KEY (merchant_id, kind, reference),
  CONSTRAINT moved_references_merchant_id_merchant_moves_merchant_id_fk FOREIGN KEY (merchant_id) REFERENCES merchant_moves(merchant_id) ON DELETE CASCADE,
  CONSTRAINT moved_references_kind CHECK (kind = ANY (ARRAY['apiKey'::text, 'qrCode'::text, 'invitation'::text, 'photo'::text, 'member'::text]))
);
ALTER TABLE moved_references ENABLE ROW LEVEL SECURITY;
CREATE INDEX moved_references_reference ON moved_references USING btree (reference, kind);
CREATE POLICY tenant ON moved_references AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);

CREATE TABLE order_lines (
  merchant_id uuid NOT NULL,
  order_id uuid NOT NULL,
  "position" smallint NOT NULL,
  plu text NOT NULL,
  name text NOT NULL,
  quantity integer NOT NULL,
  unit_price bigint NOT NULL,
  amount bigint NOT NULL,
  options jsonb DEFAULT '[]'::jsonb NOT NULL,
  note text DEFAULT ''::text NOT NULL,
  on_bill_before integer,
  CONSTRAINT order_lines_merchant_id_order_id_position_pk PRIMARY KEY (merchant_id, order_id, "position"),
  CONSTRAINT order_lines_merchant_id_order_id_orders_merchant_id_id_fk FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  CONSTRAINT order_lines_quantity CHECK (quantity >= 1 AND quantity <= 99)
);
ALTER TABLE order_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON order_lines AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM orders p
      WHERE p.merchant_id = order_lines.merchant_id AND p.id = order_lines.order_id))
END);
CREATE POLICY tenant ON order_lines AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON order_lines TO loyalty_app;

CREATE TABLE ordering_settings (
  merchant_id uuid NOT NULL,
  redeems_on_bill boolean DEFAULT true NOT NULL,
  card_on_bill boolean DEFAULT true NOT NULL,
  tip_percentages smallint[] DEFAULT '{}'::smallint[] NOT NULL,
  orders_again boolean DEFAULT true NOT NULL,
  shows_popular boolean DEFAULT true NOT NULL,
  filters_diets boolean DEFAULT true NOT NULL,
  calls_staff boolean DEFAULT true NOT NULL,
  estimates_wait boolean DEFAULT true NOT NULL,
  table_card_page text DEFAULT 'menu'::text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  take_back_minutes smallint DEFAULT 2 NOT NULL,
  CONSTRAINT ordering_settings_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT ordering_settings_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT ordering_settings_table_card_page CHECK (table_card_page = ANY (ARRAY['menu'::text, 'bill'::text])),
  CONSTRAINT ordering_settings_take_back CHECK (take_back_minutes >= 0 AND take_back_minutes <= 60),
  CONSTRAINT ordering_settings_tips CHECK (cardinality(tip_percentages) <= 4 AND (0 < ALL (tip_percentages)) AND (50 >= ALL (tip_percentages)))
);
ALTER TABLE ordering_settings ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ordering_settings AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (redeems_on_bill, card_on_bill, tip_percentages, orders_again, shows_popular, filters_diets, calls_staff, estimates_wait, table_card_page, updated_at, take_back_minutes) ON ordering_settings TO loyalty_app;

CREATE TABLE orders (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid NOT NULL,
  qr_code_id uuid NOT NULL,
  number integer NOT NULL,
  client_order_id uuid NOT NULL,
  status order_status DEFAULT 'placed'::order_status NOT NULL,
  total bigint NOT NULL,
  note text DEFAULT ''::text NOT NULL,
  placed_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  guest_id uuid,
  guest_name text DEFAULT ''::text NOT NULL,
  CONSTRAINT orders_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT orders_client_order_id UNIQUE (merchant_id, qr_code_id, client_order_id),
  CONSTRAINT orders_number UNIQUE (merchant_id, store_id, number),
  CONSTRAINT orders_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT orders_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk FOREIGN KEY (merchant_id, qr_code_id) REFERENCES qr_codes(merchant_id, id),
  CONSTRAINT orders_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE INDEX orders_open ON orders USING btree (merchant_id, placed_at, id) WHERE status = ANY (ARRAY['placed'::order_status, 'accepted'::order_status, 'ready'::order_status]);
CREATE INDEX orders_placed ON orders USING btree (merchant_id, placed_at, id);
CREATE INDEX orders_qr_code ON orders USING btree (merchant_id, qr_code_id, number);
CREATE INDEX orders_status_accepted ON orders USING btree (merchant_id, store_id, number) WHERE status = 'accepted'::order_status;
CREATE INDEX orders_status_cancelled ON orders USING btree (merchant_id, store_id, number) WHERE status = 'cancelled'::order_status;
CREATE INDEX orders_status_done ON orders USING btree (merchant_id, store_id, number) WHERE status = ANY (ARRAY['served'::order_status, 'cancelled'::order_status]);
CREATE INDEX orders_status_placed ON orders USING btree (merchant_id, store_id, number) WHERE status = 'placed'::order_status;
CREATE INDEX orders_status_ready ON orders USING btree (merchant_id, store_id, number) WHERE status = 'ready'::order_status;
CREATE INDEX orders_status_served ON orders USING btree (merchant_id, store_id, number) WHERE status = 'served'::order_status;
CREATE POLICY stores ON orders AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON orders AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (number, status, placed_at, updated_at) ON orders TO loyalty_app;

CREATE TABLE partial_refunds (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  voided_uid uuid NOT NULL,
  rest_uid uuid NOT NULL,
  amount bigint NOT NULL,
  total_amount bigint NOT NULL,
  CONSTRAINT partial_refunds_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT partial_refunds_rest UNIQUE (merchant_id, rest_uid),
  CONSTRAINT partial_refunds_voided UNIQUE (merchant_id, voided_uid),
  CONSTRAINT partial_refunds_merchant_id_rest_uid_transactions_merchant_id_u FOREIGN KEY (merchant_id, rest_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT partial_refunds_merchant_id_voided_uid_transactions_merchant_id FOREIGN KEY (merchant_id, voided_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT partial_refunds_amounts CHECK (amount > 0 AND total_amount >= amount)
);
ALTER TABLE partial_refunds ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON partial_refunds AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON partial_refunds TO loyalty_app;

CREATE TABLE passkeys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  is_backed_up boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential UNIQUE (credential_id),
  CONSTRAINT passkeys_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);
CREATE POLICY person ON passkeys AS PERMISSIVE FOR ALL TO PUBLIC
  USING (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid)
  WITH CHECK (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (name, counter, is_backed_up, last_used_at) ON passkeys TO loyalty_app;

CREATE TABLE password_resets (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  session_version integer NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash),
  CONSTRAINT password_resets_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE password_resets ENABLE ROW LEVEL SECURITY;
CREATE INDEX password_resets_expires_at ON password_resets USING btree (expires_at);
CREATE POLICY person ON password_resets AS PERMISSIVE FOR ALL TO PUBLIC
  USING (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid)
  WITH CHECK (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON password_resets TO loyalty_app;

CREATE TABLE qr_codes (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid NOT NULL,
  bill_id text NOT NULL,
  table_name text,
  guests integer,
  status qr_code_status DEFAULT 'active'::qr_code_status NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  invalidated_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  invalidated_by text,
  opened_by text DEFAULT 'till'::text NOT NULL,
  confirmed_at timestamp(3) with time zone,
  CONSTRAINT qr_codes_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT qr_codes_token UNIQUE (token_hash),
  CONSTRAINT qr_codes_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT qr_codes_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT qr_codes_invalidated CHECK ((status = 'invalidated'::qr_code_status) = (invalidated_at IS NOT NULL)),
  CONSTRAINT qr_codes_opened_by CHECK (opened_by = ANY (ARRAY['till'::text, 'diner'::text]))
);
ALTER TABLE qr_codes ENABLE ROW LEVEL SECURITY;
CREATE INDEX qr_codes_active ON qr_codes USING btree (merchant_id, store_id, expires_at) WHERE status = 'active'::qr_code_status;
CREATE INDEX qr_codes_bill ON qr_codes USING btree (merchant_id, store_id, bill_id, id);
CREATE UNIQUE INDEX qr_codes_open_bill ON qr_codes USING btree (merchant_id, store_id, bill_id) WHERE status = 'active'::qr_code_status;
CREATE INDEX qr_codes_settled ON qr_codes USING btree (merchant_id, store_id, id) WHERE status = 'invalidated'::qr_code_status;
CREATE INDEX qr_codes_table ON qr_codes USING btree (merchant_id, store_id, table_name, id);
CREATE INDEX qr_codes_unconfirmed ON qr_codes USING btree (merchant_id, store_id, id) WHERE opened_by = 'diner'::text AND confirmed_at IS NULL AND status = 'active'::qr_code_status;
CREATE INDEX qr_codes_unsettled ON qr_codes USING btree (merchant_id, store_id, id) WHERE status <> 'invalidated'::qr_code_status;
CREATE POLICY stores ON qr_codes AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON qr_codes AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (table_name, guests, status, expires_at, invalidated_at, invalidated_by, confirmed_at) ON qr_codes TO loyalty_app;

CREATE TABLE rate_buckets (
  bucket text NOT NULL,
  tokens double precision NOT NULL,
  refilled_at timestamp with time zone NOT NULL,
  full_at timestamp with time zone NOT NULL,
  CONSTRAINT rate_buckets_pkey PRIMARY KEY (bucket)
);
ALTER TABLE rate_buckets SET UNLOGGED;
ALTER TABLE rate_buckets SET (fillfactor=50);
ALTER TABLE rate_buckets ENABLE ROW LEVEL SECURITY;
CREATE POLICY anyone_reads ON rate_buckets AS PERMISSIVE FOR SELECT TO PUBLIC
  USING (true);
CREATE POLICY full_ones_end ON rate_buckets AS PERMISSIVE FOR DELETE TO PUBLIC
  USING (full_at <= now());
GRANT DELETE, SELECT (bucket, full_at) ON rate_buckets TO loyalty_app;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_user_id_code_hash_pk PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON recovery_codes AS PERMISSIVE FOR ALL TO PUBLIC
  USING (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid)
  WITH CHECK (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON recovery_codes TO loyalty_app;

CREATE TABLE report_progress (
  merchant_id uuid NOT NULL,
  time_zone text NOT NULL,
  entry_id bigint NOT NULL,
  transaction_uid uuid NOT NULL,
  void_id uuid NOT NULL,
  voucher_id uuid NOT NULL,
  CONSTRAINT report_progress_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT report_progress_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
ALTER TABLE report_progress ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_progress AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (time_zone, entry_id, transaction_uid, void_id, voucher_id) ON report_progress TO loyalty_app;

CREATE TABLE sale_days (
  merchant_id uuid NOT NULL,
  dimension text NOT NULL,
  day date NOT NULL,
  store_id uuid NOT NULL,
  key text NOT NULL,
  label text NOT NULL,
  quantity numeric(16,3) NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT sale_days_merchant_id_dimension_day_store_id_key_label_pk PRIMARY KEY (merchant_id, dimension, day, store_id, key, label),
  CONSTRAINT sale_days_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE sale_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON sale_days AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON sale_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (quantity, amount) ON sale_days TO loyalty_app;

CREATE TABLE sale_lines (
  merchant_id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  "position" smallint NOT NULL,
  plu text NOT NULL,
  name text NOT NULL,
  quantity numeric(12,3) NOT NULL,
  unit_price bigint NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT sale_lines_merchant_id_transaction_uid_position_pk PRIMARY KEY (merchant_id, transaction_uid, "position"),
  CONSTRAINT sale_lines_merchant_id_transaction_uid_sales_merchant_id_transa FOREIGN KEY (merchant_id, transaction_uid) REFERENCES sales(merchant_id, transaction_uid)
);
ALTER TABLE sale_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON sale_lines AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM transactions p
      WHERE p.merchant_id = sale_lines.merchant_id AND p.uid = sale_lines.transaction_uid))
END);
CREATE POLICY tenant ON sale_lines AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON sale_lines TO loyalty_app;

CREATE TABLE sale_payments (
  merchant_id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  "position" smallint NOT NULL,
  method text NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT sale_payments_merchant_id_transaction_uid_position_pk PRIMARY KEY (merchant_id, transaction_uid, "position"),
  CONSTRAINT sale_payments_merchant_id_transaction_uid_sales_merchant_id_tra FOREIGN KEY (merchant_id, transaction_uid) REFERENCES sales(merchant_id, transaction_uid)
);
ALTER TABLE sale_payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON sale_payments AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM transactions p
      WHERE p.merchant_id = sale_payments.merchant_id AND p.uid = sale_payments.transaction_uid))
END);
CREATE POLICY tenant ON sale_payments AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON sale_payments TO loyalty_app;

CREATE TABLE sales (
  merchant_id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  subtotal bigint NOT NULL,
  discount bigint NOT NULL,
  service_charge bigint NOT NULL,
  tax bigint NOT NULL,
  rounding bigint NOT NULL,
  total bigint NOT NULL,
  points_earned bigint NOT NULL,
  closed_at timestamp(3) with time zone NOT NULL,
  tax_included jsonb DEFAULT '[]'::jsonb NOT NULL,
  refunded bigint DEFAULT 0 NOT NULL,
  points_taken bigint DEFAULT 0 NOT NULL,
  closes_bill boolean,
  CONSTRAINT sales_merchant_id_transaction_uid_pk PRIMARY KEY (merchant_id, transaction_uid),
  CONSTRAINT sales_merchant_id_transaction_uid_transactions_merchant_id_uid_ FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT sales_total CHECK (total = (subtotal - discount + service_charge + tax + rounding))
);
ALTER TABLE sales ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON sales AS RESTRICTIVE FOR SELECT TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE (EXISTS ( SELECT
       FROM transactions p
      WHERE p.merchant_id = sales.merchant_id AND p.uid = sales.transaction_uid))
END);
CREATE POLICY tenant ON sales AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (refunded, points_taken) ON sales TO loyalty_app;

CREATE TABLE scheduled_tasks (
  task text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone NOT NULL,
  done integer,
  error text,
  CONSTRAINT scheduled_tasks_pkey PRIMARY KEY (task)
);
ALTER TABLE scheduled_tasks ENABLE ROW LEVEL SECURITY;
CREATE POLICY shared ON scheduled_tasks AS PERMISSIVE FOR ALL TO PUBLIC
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (started_at, ended_at, done, error) ON scheduled_tasks TO loyalty_app;

CREATE TABLE staff_days (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  day date NOT NULL,
  value bigint DEFAULT 0 NOT NULL,
  points bigint DEFAULT 0 NOT NULL,
  vouchers integer DEFAULT 0 NOT NULL,
  enrolments integer DEFAULT 0 NOT NULL,
  CONSTRAINT staff_days_merchant_id_user_id_day_pk PRIMARY KEY (merchant_id, user_id, day),
  CONSTRAINT staff_days_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE staff_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON staff_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (value, points, vouchers, enrolments) ON staff_days TO loyalty_app;

CREATE TABLE staff_sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  session_version integer NOT NULL,
  browser text NOT NULL,
  network text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  confirmed_at timestamp(3) with time zone,
  CONSTRAINT staff_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT staff_sessions_token UNIQUE (token_hash),
  CONSTRAINT staff_sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE staff_sessions ENABLE ROW LEVEL SECURITY;
CREATE INDEX staff_sessions_last_seen ON staff_sessions USING btree (last_seen_at);
CREATE INDEX staff_sessions_user ON staff_sessions USING btree (user_id, last_seen_at);
CREATE POLICY person ON staff_sessions AS PERMISSIVE FOR ALL TO PUBLIC
  USING (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid)
  WITH CHECK (user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (expires_at, confirmed_at) ON staff_sessions TO loyalty_app;

CREATE TABLE staff_top_ups (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_uid uuid NOT NULL,
  user_id uuid NOT NULL,
  payment_method text NOT NULL,
  CONSTRAINT staff_top_ups_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT staff_top_ups_transaction UNIQUE (merchant_id, transaction_uid),
  CONSTRAINT staff_top_ups_merchant_id_transaction_uid_transactions_merchant FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT staff_top_ups_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE staff_top_ups ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON staff_top_ups AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON staff_top_ups TO loyalty_app;

CREATE TABLE stock_outs (
  merchant_id uuid NOT NULL,
  store_id uuid NOT NULL,
  plu text NOT NULL,
  until timestamp(3) with time zone,
  actor_kind text NOT NULL,
  actor_id uuid,
  stocked_out_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT stock_outs_merchant_id_store_id_plu_pk PRIMARY KEY (merchant_id, store_id, plu),
  CONSTRAINT stock_outs_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT stock_outs_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE stock_outs ENABLE ROW LEVEL SECURITY;
CREATE INDEX stock_outs_until ON stock_outs USING btree (merchant_id, until) WHERE until IS NOT NULL;
CREATE POLICY stores ON stock_outs AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON stock_outs AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (until) ON stock_outs TO loyalty_app;

CREATE TABLE stored_value_package_stores (
  merchant_id uuid NOT NULL,
  package_id uuid NOT NULL,
  store_id uuid NOT NULL,
  CONSTRAINT stored_value_package_stores_merchant_id_package_id_store_id_pk PRIMARY KEY (merchant_id, package_id, store_id),
  CONSTRAINT stored_value_package_stores_merchant_id_package_id_stored_value FOREIGN KEY (merchant_id, package_id) REFERENCES stored_value_packages(merchant_id, id),
  CONSTRAINT stored_value_package_stores_merchant_id_store_id_stores_merchan FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE stored_value_package_stores ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON stored_value_package_stores AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON stored_value_package_stores AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON stored_value_package_stores TO loyalty_app;

CREATE TABLE stored_value_packages (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  kind package_kind NOT NULL,
  amount bigint,
  bonus_amount bigint,
  min_amount bigint,
  max_amount bigint,
  bonus_basis_points integer,
  bonus_expires_in_days integer,
  all_stores boolean DEFAULT true NOT NULL,
  valid_from timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  "position" integer DEFAULT 0 NOT NULL,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT stored_value_packages_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT stored_value_packages_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT stored_value_packages_expiry CHECK (bonus_expires_in_days > 0),
  CONSTRAINT stored_value_packages_shape CHECK (
CASE kind
    WHEN 'fixed'::package_kind THEN num_nonnulls(amount, bonus_amount) = 2 AND amount > 0 AND bonus_amount >= 0 AND num_nonnulls(min_amount, max_amount, bonus_basis_points) = 0
    ELSE num_nonnulls(min_amount, max_amount, bonus_basis_points) = 3 AND min_amount > 0 AND max_amount >= min_amount AND bonus_basis_points >= 0 AND num_nonnulls(amount, bonus_amount) = 0
END)
);
ALTER TABLE stored_value_packages ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stored_value_packages AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (name, kind, amount, bonus_amount, min_amount, max_amount, bonus_basis_points, bonus_expires_in_days, all_stores, valid_from, valid_until, "position", archived_at, translations) ON stored_value_packages TO loyalty_app;

CREATE TABLE stores (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_code text NOT NULL,
  name text NOT NULL,
  last_order_number integer DEFAULT 0 NOT NULL,
  closed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  is_code_shared boolean DEFAULT false NOT NULL,
  address text DEFAULT ''::text NOT NULL,
  phone text DEFAULT ''::text NOT NULL,
  day_starts_at smallint,
  CONSTRAINT stores_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT stores_store_code UNIQUE (merchant_id, store_code),
  CONSTRAINT stores_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT stores_day_starts_at CHECK (day_starts_at >= 0 AND day_starts_at <= 6)
);
ALTER TABLE stores ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX stores_code_in_any_case ON stores USING btree (merchant_id, lower(store_code)) WHERE NOT is_code_shared;
CREATE POLICY stores ON stores AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON stores AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (store_code, name, last_order_number, closed_at, is_code_shared, address, phone, day_starts_at) ON stores TO loyalty_app;

CREATE TABLE table_calls (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid NOT NULL,
  qr_code_id uuid,
  table_id uuid,
  kind text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  answered_at timestamp(3) with time zone,
  answered_by uuid,
  CONSTRAINT table_calls_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT table_calls_answered_by_users_id_fk FOREIGN KEY (answered_by) REFERENCES users(id),
  CONSTRAINT table_calls_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk FOREIGN KEY (merchant_id, qr_code_id) REFERENCES qr_codes(merchant_id, id),
  CONSTRAINT table_calls_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT table_calls_merchant_id_table_id_dining_tables_merchant_id_id_f FOREIGN KEY (merchant_id, table_id) REFERENCES dining_tables(merchant_id, id),
  CONSTRAINT table_calls_answered CHECK (answered_by IS NULL OR answered_at IS NOT NULL),
  CONSTRAINT table_calls_kind CHECK (kind = ANY (ARRAY['staff'::text, 'bill'::text])),
  CONSTRAINT table_calls_subject CHECK (num_nonnulls(qr_code_id, table_id) = 1)
);
ALTER TABLE table_calls ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX table_calls_of_code ON table_calls USING btree (merchant_id, qr_code_id, kind) WHERE answered_at IS NULL;
CREATE UNIQUE INDEX table_calls_of_table ON table_calls USING btree (merchant_id, table_id, kind) WHERE answered_at IS NULL;
CREATE INDEX table_calls_waiting ON table_calls USING btree (merchant_id, store_id, id) WHERE answered_at IS NULL;
CREATE POLICY stores ON table_calls AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON table_calls AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (answered_at, answered_by) ON table_calls TO loyalty_app;

CREATE TABLE this_cell (
  is_only boolean DEFAULT true NOT NULL,
  name text NOT NULL,
  secret_ids text[] NOT NULL,
  CONSTRAINT this_cell_pkey PRIMARY KEY (is_only),
  CONSTRAINT this_cell_only CHECK (is_only)
);
ALTER TABLE this_cell ENABLE ROW LEVEL SECURITY;
CREATE POLICY shared ON this_cell AS PERMISSIVE FOR ALL TO PUBLIC
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON this_cell TO loyalty_app;

CREATE TABLE throttles (
  key text NOT NULL,
  attempts integer NOT NULL,
  resets_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT throttles_pkey PRIMARY KEY (key)
);
ALTER TABLE throttles ENABLE ROW LEVEL SECURITY;
CREATE INDEX throttles_resets_at ON throttles USING btree (resets_at);
CREATE POLICY shared ON throttles AS PERMISSIVE FOR ALL TO PUBLIC
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON throttles TO loyalty_app;

CREATE TABLE top_up_requests (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  request_key uuid NOT NULL,
  package_id uuid NOT NULL,
  principal bigint NOT NULL,
  bonus bigint NOT NULL,
  bonus_expires_in_days integer,
  method top_up_method NOT NULL,
  state top_up_request_state DEFAULT 'open'::top_up_request_state NOT NULL,
  counter_code text,
  checkout_id text,
  checkout_url text,
  refusal text,
  refunded_amount bigint DEFAULT 0 NOT NULL,
  alerted_at timestamp(3) with time zone,
  acknowledged_at timestamp(3) with time zone,
  acknowledged_by uuid,
  transaction_uid uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  payment_id text,
  refund_refused_at timestamp(3) with time zone,
  check_at timestamp(3) with time zone,
  processing_since timestamp(3) with time zone,
  processing_until timestamp(3) with time zone,
  card_account_id text,
  CONSTRAINT top_up_requests_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT top_up_requests_request_key UNIQUE (merchant_id, customer_id, request_key),
  CONSTRAINT top_up_requests_transaction UNIQUE (merchant_id, transaction_uid),
  CONSTRAINT top_up_requests_acknowledged_by_users_id_fk FOREIGN KEY (acknowledged_by) REFERENCES users(id),
  CONSTRAINT top_up_requests_merchant_id_customer_id_customers_merchant_id_i FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT top_up_requests_merchant_id_package_id_stored_value_packages_me FOREIGN KEY (merchant_id, package_id) REFERENCES stored_value_packages(merchant_id, id),
  CONSTRAINT top_up_requests_merchant_id_transaction_uid_transactions_mercha FOREIGN KEY (merchant_id, transaction_uid) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT top_up_requests_amounts CHECK (principal > 0 AND bonus >= 0 AND refunded_amount >= 0),
  CONSTRAINT top_up_requests_credited CHECK (state <> 'credited'::top_up_request_state OR transaction_uid IS NOT NULL),
  CONSTRAINT top_up_requests_method CHECK ((method = 'counter'::top_up_method) = (counter_code IS NOT NULL))
);
ALTER TABLE top_up_requests ENABLE ROW LEVEL SECURITY;
CREATE INDEX top_up_requests_alerts ON top_up_requests USING btree (merchant_id, alerted_at) WHERE alerted_at IS NOT NULL AND acknowledged_at IS NULL;
CREATE INDEX top_up_requests_code ON top_up_requests USING btree (merchant_id, counter_code, id) WHERE counter_code IS NOT NULL;
CREATE INDEX top_up_requests_customer ON top_up_requests USING btree (merchant_id, customer_id, id);
CREATE UNIQUE INDEX top_up_requests_open_code ON top_up_requests USING btree (merchant_id, counter_code) WHERE state = 'open'::top_up_request_state;
CREATE INDEX top_up_requests_payment ON top_up_requests USING btree (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX top_up_requests_processing ON top_up_requests USING btree (merchant_id, customer_id) WHERE state = 'open'::top_up_request_state AND processing_since IS NOT NULL;
CREATE INDEX top_up_requests_unsettled ON top_up_requests USING btree (created_at) WHERE state = ANY (ARRAY['open'::top_up_request_state, 'refunding'::top_up_request_state]);
CREATE POLICY tenant ON top_up_requests AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (customer_id, state, checkout_id, checkout_url, refusal, refunded_amount, alerted_at, acknowledged_at, acknowledged_by, transaction_uid, payment_id, refund_refused_at, check_at, processing_since, processing_until) ON top_up_requests TO loyalty_app;

CREATE TABLE transaction_days (
  merchant_id uuid NOT NULL,
  day date NOT NULL,
  store_id uuid,
  type transaction_type NOT NULL,
  count integer NOT NULL,
  amount bigint NOT NULL,
  changed_at timestamp(3) with time zone,
  gross_count integer DEFAULT 0 NOT NULL,
  gross bigint DEFAULT 0 NOT NULL,
  CONSTRAINT transaction_days_key UNIQUE NULLS NOT DISTINCT (merchant_id, day, store_id, type),
  CONSTRAINT transaction_days_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE transaction_days REPLICA IDENTITY FULL;
ALTER TABLE transaction_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON transaction_days AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON transaction_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (count, amount, changed_at, gross_count, gross) ON transaction_days TO loyalty_app;

CREATE TABLE transactions (
  merchant_id uuid NOT NULL,
  uid uuid NOT NULL,
  store_id uuid,
  transaction_id text COLLATE "C",
  type transaction_type,
  status transaction_status NOT NULL,
  facet smallint GENERATED ALWAYS AS ((10 *
CASE type
    WHEN 'topUp'::transaction_type THEN 1
    WHEN 'redeemStoredValue'::transaction_type THEN 2
    WHEN 'redeemVoucher'::transaction_type THEN 3
    WHEN 'redeemPoints'::transaction_type THEN 4
    WHEN 'sale'::transaction_type THEN 5
    WHEN 'expiry'::transaction_type THEN 6
    WHEN 'adjustment'::transaction_type THEN 7
    ELSE 0
END +
CASE status
    WHEN 'completed'::transaction_status THEN 1
    WHEN 'refused'::transaction_status THEN 2
    WHEN 'voided'::transaction_status THEN 3
    ELSE 0
END)) STORED NOT NULL,
  customer_id uuid,
  amount bigint,
  bill_id text,
  staff_id text,
  receipt_number text,
  api_key_id uuid,
  request_hash bytea,
  answer text,
  points_shortfall bigint DEFAULT 0 NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  void_id uuid,
  voided_at timestamp(3) with time zone,
  void_effect text,
  CONSTRAINT transactions_merchant_id_uid_pk PRIMARY KEY (merchant_id, uid),
  CONSTRAINT transactions_transaction_id UNIQUE (merchant_id, store_id, transaction_id),
  CONSTRAINT transactions_merchant_id_api_key_id_api_keys_merchant_id_id_fk FOREIGN KEY (merchant_id, api_key_id) REFERENCES api_keys(merchant_id, id),
  CONSTRAINT transactions_merchant_id_customer_id_customers_merchant_id_id_f FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT transactions_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT transactions_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT transactions_merchant_id_void_id_voids_merchant_id_id_fk FOREIGN KEY (merchant_id, void_id) REFERENCES voids(merchant_id, id),
  CONSTRAINT transactions_origin CHECK ((type = ANY (ARRAY['expiry'::transaction_type, 'adjustment'::transaction_type])) OR transaction_id IS NOT NULL AND (store_id IS NOT NULL OR type = 'topUp'::transaction_type)),
  CONSTRAINT transactions_shortfall CHECK (points_shortfall >= 0),
  CONSTRAINT transactions_tombstone CHECK (type IS NOT NULL OR status = 'voided'::transaction_status),
  CONSTRAINT transactions_voided CHECK ((status = 'voided'::transaction_status) = (voided_at IS NOT NULL))
);
ALTER TABLE transactions ENABLE ROW LEVEL SECURITY;
CREATE INDEX transactions_bill ON transactions USING btree (merchant_id, store_id, bill_id) WHERE bill_id IS NOT NULL;
CREATE INDEX transactions_customer ON transactions USING btree (merchant_id, customer_id, uid);
CREATE INDEX transactions_debts ON transactions USING btree (merchant_id, customer_id) WHERE points_shortfall > 0;
CREATE INDEX transactions_facets ON transactions USING btree (merchant_id, store_id, facet, uid);
CREATE INDEX transactions_late ON transactions USING btree (merchant_id, occurred_at) WHERE (created_at - occurred_at) > '00:15:00'::interval;
CREATE UNIQUE INDEX transactions_online ON transactions USING btree (merchant_id, transaction_id) WHERE store_id IS NULL AND transaction_id IS NOT NULL;
CREATE INDEX transactions_void ON transactions USING btree (merchant_id, void_id) WHERE void_id IS NOT NULL;
CREATE INDEX transactions_voided_bill ON transactions USING btree (merchant_id, store_id, bill_id) WHERE void_id IS NOT NULL AND bill_id IS NOT NULL;
CREATE POLICY stores ON transactions AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id IS NULL OR (store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[]))
END);
CREATE POLICY tenant ON transactions AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (transaction_id, status, points_shortfall, void_id, voided_at, void_effect) ON transactions TO loyalty_app;

CREATE TABLE users (
  id uuid NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  session_version integer DEFAULT 1 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  language text,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email UNIQUE (email)
);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
CREATE POLICY anyone_joins ON users AS PERMISSIVE FOR INSERT TO PUBLIC
  WITH CHECK (true);
CREATE POLICY anyone_reads ON users AS PERMISSIVE FOR SELECT TO PUBLIC
  USING (true);
CREATE POLICY person_changes ON users AS PERMISSIVE FOR UPDATE TO PUBLIC
  USING (id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid)
  WITH CHECK (id = NULLIF(current_setting('app.user_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT (id, email, name, session_version, created_at, language), UPDATE (name, password_hash, session_version, language) ON users TO loyalty_app;

CREATE TABLE voids (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  store_id uuid,
  api_key_id uuid,
  user_id uuid,
  reason text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT voids_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT voids_merchant_id_api_key_id_api_keys_merchant_id_id_fk FOREIGN KEY (merchant_id, api_key_id) REFERENCES api_keys(merchant_id, id),
  CONSTRAINT voids_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT voids_merchant_id_store_id_stores_merchant_id_id_fk FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT voids_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT voids_actor CHECK (num_nonnulls(api_key_id, user_id) <= 1 AND (store_id IS NULL) = (api_key_id IS NULL))
);
ALTER TABLE voids ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON voids AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id IS NULL OR (store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[]))
END);
CREATE POLICY tenant ON voids AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT ON voids TO loyalty_app;

CREATE TABLE voucher_campaign_stores (
  merchant_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  store_id uuid NOT NULL,
  CONSTRAINT voucher_campaign_stores_merchant_id_campaign_id_store_id_pk PRIMARY KEY (merchant_id, campaign_id, store_id),
  CONSTRAINT voucher_campaign_stores_merchant_id_campaign_id_voucher_campaig FOREIGN KEY (merchant_id, campaign_id) REFERENCES voucher_campaigns(merchant_id, id),
  CONSTRAINT voucher_campaign_stores_merchant_id_store_id_stores_merchant_id FOREIGN KEY (merchant_id, store_id) REFERENCES stores(merchant_id, id)
);
ALTER TABLE voucher_campaign_stores ENABLE ROW LEVEL SECURITY;
CREATE POLICY stores ON voucher_campaign_stores AS RESTRICTIVE FOR ALL TO PUBLIC
  USING (
CASE
    WHEN NULLIF(current_setting('app.stores'::text, true), ''::text) IS NULL THEN true
    ELSE store_id = ANY (NULLIF(current_setting('app.stores'::text, true), ''::text)::uuid[])
END);
CREATE POLICY tenant ON voucher_campaign_stores AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT ON voucher_campaign_stores TO loyalty_app;

CREATE TABLE voucher_campaigns (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  unit voucher_unit NOT NULL,
  value bigint NOT NULL,
  plus text[] DEFAULT '{}'::text[] NOT NULL,
  min_spend bigint DEFAULT 0 NOT NULL,
  max_discount bigint,
  max_units integer DEFAULT 1 NOT NULL,
  stackable boolean DEFAULT false NOT NULL,
  all_stores boolean DEFAULT true NOT NULL,
  valid_from timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  validity_days integer,
  trigger voucher_trigger NOT NULL,
  days_before smallint DEFAULT 0 NOT NULL,
  seasonal_on date,
  last_visited_store_id uuid,
  min_spent bigint,
  not_seen_since date,
  joined_before date,
  holds_stored_value boolean DEFAULT false NOT NULL,
  occasions_through date,
  total_limit integer,
  per_customer_limit integer,
  issued_count integer DEFAULT 0 NOT NULL,
  paused_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  min_visits integer,
  not_seen_days integer,
  bought_plus text[] DEFAULT '{}'::text[] NOT NULL,
  bought_category_id uuid,
  birth_month smallint,
  tag text,
  CONSTRAINT voucher_campaigns_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT voucher_campaigns_merchant_id_last_visited_store_id_stores_merc FOREIGN KEY (merchant_id, last_visited_store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT voucher_campaigns_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT voucher_campaigns_bounds CHECK (min_spend >= 0 AND max_discount > 0 AND max_units > 0 AND validity_days > 0),
  CONSTRAINT voucher_campaigns_customer_limit CHECK (per_customer_limit > 0),
  CONSTRAINT voucher_campaigns_days_before CHECK (days_before >= 0 AND days_before <= 30),
  CONSTRAINT voucher_campaigns_items CHECK ((unit = ANY (ARRAY['ItemDollarValue'::voucher_unit, 'ItemDollarPercentage'::voucher_unit])) = (cardinality(plus) > 0)),
  CONSTRAINT voucher_campaigns_min_spent CHECK (min_spent > 0),
  CONSTRAINT voucher_campaigns_seasonal CHECK ((trigger = 'seasonal'::voucher_trigger) = (seasonal_on IS NOT NULL)),
  CONSTRAINT voucher_campaigns_total_limit CHECK (issued_count >= 0 AND issued_count <= COALESCE(total_limit, 2147483647)),
  CONSTRAINT voucher_campaigns_value CHECK (value > 0 AND ((unit = ANY (ARRAY['BillDollarValue'::voucher_unit, 'ItemDollarValue'::voucher_unit])) OR value <= 10000))
);
ALTER TABLE voucher_campaigns ENABLE ROW LEVEL SECURITY;
CREATE INDEX voucher_campaigns_occasions ON voucher_campaigns USING btree (merchant_id, id) WHERE (trigger = ANY (ARRAY['birthday'::voucher_trigger, 'anniversary'::voucher_trigger, 'seasonal'::voucher_trigger])) AND archived_at IS NULL;
CREATE POLICY tenant ON voucher_campaigns AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (name, unit, value, plus, min_spend, max_discount, max_units, stackable, all_stores, valid_from, valid_until, validity_days, trigger, days_before, seasonal_on, last_visited_store_id, min_spent, not_seen_since, joined_before, holds_stored_value, occasions_through, total_limit, per_customer_limit, issued_count, paused_at, archived_at, translations, min_visits, not_seen_days, bought_plus, bought_category_id, birth_month, tag) ON voucher_campaigns TO loyalty_app;

CREATE TABLE voucher_counts (
  merchant_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  issued_count integer NOT NULL,
  CONSTRAINT voucher_counts_merchant_id_campaign_id_customer_id_pk PRIMARY KEY (merchant_id, campaign_id, customer_id),
  CONSTRAINT voucher_counts_merchant_id_campaign_id_voucher_campaigns_mercha FOREIGN KEY (merchant_id, campaign_id) REFERENCES voucher_campaigns(merchant_id, id),
  CONSTRAINT voucher_counts_merchant_id_customer_id_customers_merchant_id_id FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id)
);
ALTER TABLE voucher_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON voucher_counts AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (issued_count) ON voucher_counts TO loyalty_app;

CREATE TABLE voucher_days (
  merchant_id uuid NOT NULL,
  day date NOT NULL,
  campaign_id uuid NOT NULL,
  issued integer NOT NULL,
  redeemed integer NOT NULL,
  discount bigint NOT NULL,
  CONSTRAINT voucher_days_merchant_id_day_campaign_id_pk PRIMARY KEY (merchant_id, day, campaign_id),
  CONSTRAINT voucher_days_merchant_id_campaign_id_voucher_campaigns_merchant FOREIGN KEY (merchant_id, campaign_id) REFERENCES voucher_campaigns(merchant_id, id)
);
ALTER TABLE voucher_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON voucher_days AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (issued, redeemed, discount) ON voucher_days TO loyalty_app;

CREATE TABLE voucher_issues (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  audience issue_audience NOT NULL,
  customer_ids uuid[],
  last_visited_store_id uuid,
  min_spent bigint,
  not_seen_since date,
  joined_before date,
  holds_stored_value boolean DEFAULT false NOT NULL,
  occasion_on date,
  requested_count integer,
  issued_count integer DEFAULT 0 NOT NULL,
  refused_count integer DEFAULT 0 NOT NULL,
  done_through uuid,
  user_id uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  min_visits integer,
  not_seen_days integer,
  bought_plus text[] DEFAULT '{}'::text[] NOT NULL,
  bought_category_id uuid,
  birth_month smallint,
  tag text,
  CONSTRAINT voucher_issues_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT voucher_issues_occasion UNIQUE (merchant_id, campaign_id, audience, occasion_on),
  CONSTRAINT voucher_issues_merchant_id_campaign_id_voucher_campaigns_mercha FOREIGN KEY (merchant_id, campaign_id) REFERENCES voucher_campaigns(merchant_id, id),
  CONSTRAINT voucher_issues_merchant_id_last_visited_store_id_stores_merchan FOREIGN KEY (merchant_id, last_visited_store_id) REFERENCES stores(merchant_id, id),
  CONSTRAINT voucher_issues_customers CHECK ((audience = 'customers'::issue_audience) = (customer_ids IS NOT NULL))
);
ALTER TABLE voucher_issues ENABLE ROW LEVEL SECURITY;
CREATE INDEX voucher_issues_campaign ON voucher_issues USING btree (merchant_id, campaign_id, created_at);
CREATE INDEX voucher_issues_open ON voucher_issues USING btree (updated_at) WHERE finished_at IS NULL;
CREATE POLICY tenant ON voucher_issues AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (issued_count, refused_count, done_through, updated_at, finished_at) ON voucher_issues TO loyalty_app;

CREATE TABLE voucher_tallies (
  merchant_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  slot smallint NOT NULL,
  issued bigint NOT NULL,
  redeemed bigint NOT NULL,
  cancelled bigint NOT NULL,
  discount bigint NOT NULL,
  CONSTRAINT voucher_tallies_merchant_id_campaign_id_expires_at_slot_pk PRIMARY KEY (merchant_id, campaign_id, expires_at, slot),
  CONSTRAINT voucher_tallies_merchant_id_campaign_id_voucher_campaigns_merch FOREIGN KEY (merchant_id, campaign_id) REFERENCES voucher_campaigns(merchant_id, id)
);
ALTER TABLE voucher_tallies ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON voucher_tallies AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT INSERT, SELECT, UPDATE (issued, redeemed, cancelled, discount) ON voucher_tallies TO loyalty_app;

CREATE TABLE vouchers (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  voucher_code text NOT NULL,
  occasion text,
  issued_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone,
  issued_by uuid,
  redeemed_by uuid,
  redeemed_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  cancel_reason text,
  state text GENERATED ALWAYS AS (
CASE
    WHEN redeemed_at IS NOT NULL THEN 'redeemed'::text
    WHEN cancelled_at IS NOT NULL THEN 'cancelled'::text
    ELSE 'unused'::text
END) STORED,
  CONSTRAINT vouchers_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT vouchers_code UNIQUE (merchant_id, voucher_code),
  CONSTRAINT vouchers_occasion UNIQUE (merchant_id, campaign_id, customer_id, occasion),
  CONSTRAINT vouchers_merchant_id_campaign_id_voucher_campaigns_merchant_id_ FOREIGN KEY (merchant_id, campaign_id) REFERENCES voucher_campaigns(merchant_id, id),
  CONSTRAINT vouchers_merchant_id_customer_id_customers_merchant_id_id_fk FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  CONSTRAINT vouchers_merchant_id_issued_by_transactions_merchant_id_uid_fk FOREIGN KEY (merchant_id, issued_by) REFERENCES transactions(merchant_id, uid) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT vouchers_merchant_id_redeemed_by_transactions_merchant_id_uid_f FOREIGN KEY (merchant_id, redeemed_by) REFERENCES transactions(merchant_id, uid),
  CONSTRAINT vouchers_redeemed CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL))
);
ALTER TABLE vouchers ENABLE ROW LEVEL SECURITY;
CREATE INDEX vouchers_campaign ON vouchers USING btree (merchant_id, campaign_id, state, id);
CREATE INDEX vouchers_expiring ON vouchers USING btree (merchant_id, expires_at, customer_id) WHERE redeemed_at IS NULL AND cancelled_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX vouchers_issued_by ON vouchers USING btree (merchant_id, issued_by) WHERE issued_by IS NOT NULL;
CREATE INDEX vouchers_open ON vouchers USING btree (merchant_id, customer_id) WHERE redeemed_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX vouchers_past ON vouchers USING btree (merchant_id, customer_id, id) WHERE redeemed_at IS NOT NULL OR cancelled_at IS NOT NULL;
CREATE INDEX vouchers_redeemed_by ON vouchers USING btree (merchant_id, redeemed_by) WHERE redeemed_by IS NOT NULL;
CREATE POLICY tenant ON vouchers AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
CREATE TRIGGER tally_changed AFTER UPDATE ON vouchers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_vouchers();
CREATE TRIGGER tally_new AFTER INSERT ON vouchers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_new_vouchers();
GRANT INSERT, SELECT, UPDATE (customer_id, occasion, redeemed_by, redeemed_at, cancelled_at, cancel_reason) ON vouchers TO loyalty_app;

CREATE TABLE webhook_deliveries (
  merchant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  state text DEFAULT 'pending'::text NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  queued_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  attempted_at timestamp(3) with time zone,
  status smallint,
  duration_ms integer,
  response text,
  failure text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_deliveries_merchant_id_endpoint_id_event_id_pk PRIMARY KEY (merchant_id, endpoint_id, event_id),
  CONSTRAINT webhook_deliveries_merchant_id_endpoint_id_webhook_endpoints_me FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints(merchant_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_merchant_id_event_id_events_merchant_id_id_f FOREIGN KEY (merchant_id, event_id) REFERENCES events(merchant_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_pending CHECK ((state = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  CONSTRAINT webhook_deliveries_response CHECK (length(response) <= 1000)
);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (merchant_id, event_id);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (merchant_id, endpoint_id, event_id) WHERE state = 'failed'::text;
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries USING btree (merchant_id, endpoint_id, next_attempt_at) WHERE state = 'pending'::text;
CREATE POLICY tenant ON webhook_deliveries AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
GRANT DELETE, INSERT, SELECT, UPDATE (state, attempts, queued_at, next_attempt_at, attempted_at, status, duration_ms, response, failure) ON webhook_deliveries TO loyalty_app;

CREATE TABLE webhook_endpoints (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  event_types text[],
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  state text DEFAULT 'enabled'::text NOT NULL,
  disabled_reason text,
  disabled_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  queued_xid bigint NOT NULL,
  queued_seq bigint NOT NULL,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_endpoints_merchant_id_id_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT webhook_endpoints_merchant_id_merchants_id_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT webhook_endpoints_disabled CHECK ((state = 'disabled'::text) = (disabled_at IS NOT NULL) AND (disabled_at IS NULL) = (disabled_reason IS NULL)),
  CONSTRAINT webhook_endpoints_previous_secret CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
  CONSTRAINT webhook_endpoints_state CHECK (state = ANY (ARRAY['enabled'::text, 'paused'::text, 'disabled'::text]))
);
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhook_endpoints AS PERMISSIVE FOR ALL TO PUBLIC
  USING (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid)
  WITH CHECK (merchant_id = NULLIF(current_setting('app.merchant_id'::text, true), ''::text)::uuid);
CREATE TRIGGER arriving BEFORE INSERT OR UPDATE ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION place_at_moved_event();
ALTER TABLE webhook_endpoints ENABLE REPLICA TRIGGER arriving;
GRANT DELETE, INSERT, SELECT, UPDATE (url, description, event_types, secret, previous_secret, previous_secret_until, state, disabled_reason, disabled_at, failing_since, queued_xid, queued_seq, leased_until) ON webhook_endpoints TO loyalty_app;

CREATE OR REPLACE FUNCTION public.api_key_by_hash(key_hash bytea)
 RETURNS TABLE(key api_keys, merchant merchants, store stores)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT k, m, s
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id AND m.closed_at IS NULL
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash AND s.closed_at IS NULL
      AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id);
END $function$;
GRANT EXECUTE ON FUNCTION api_key_by_hash(bytea) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.audit_person(person uuid, by_person boolean, done text, details text, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION audit_person(uuid,boolean,text,text,timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.connected_merchants()
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m
  WHERE m.card_account_id IS NOT NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
$function$;
GRANT EXECUTE ON FUNCTION connected_merchants() TO loyalty_app;

CREATE OR REPLACE FUNCTION public.customer_tag_terms(tags text[])
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT DISTINCT E'\x01' || lower(tag) FROM unnest(tags) tag
$function$;
GRANT EXECUTE ON FUNCTION customer_tag_terms(text[]) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.customer_terms_of(given_name text, last_name text, phone text, email text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION customer_terms_of(text,text,text,text) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.customers_of_phone(number text)
 RETURNS TABLE(merchant_id uuid, customer_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT c.merchant_id, coalesce(c.merged_into, c.id)
  FROM merchants m JOIN customers c ON c.merchant_id = m.id AND c.phone = number
  WHERE NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$function$;
GRANT EXECUTE ON FUNCTION customers_of_phone(text) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.delete_api_requests(before uuid, most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION delete_api_requests(uuid,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.dining_table_by_token(hash bytea)
 RETURNS TABLE(merchant_id uuid, table_id uuid, clock_ahead_seconds integer, merchant_closed_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT t.merchant_id, t.id, m.clock_ahead_seconds, m.closed_at
  FROM dining_tables t JOIN merchants m ON m.id = t.merchant_id
  WHERE t.token_hash = hash AND t.removed_at IS NULL
    AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$function$;
GRANT EXECUTE ON FUNCTION dining_table_by_token(bytea) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.due_occasions(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid, campaign_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT c.merchant_id, c.id
  FROM voucher_campaigns c
  JOIN merchants m ON m.id = c.merchant_id AND m.closed_at IS NULL
  CROSS JOIN LATERAL (SELECT at + make_interval(secs => m.clock_ahead_seconds) AS now) own
  CROSS JOIN LATERAL (SELECT local_date(m.time_zone, own.now, m.day_starts_at) AS today OFFSET 0) here
  WHERE c.trigger IN ('birthday', 'anniversary', 'seasonal') AND c.archived_at IS NULL AND c.paused_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (c.valid_until IS NULL OR c.valid_until > own.now)
    AND (here.today IS NULL
      OR (c.occasions_through IS NULL OR c.occasions_through < here.today)
        AND (c.trigger <> 'seasonal' OR c.seasonal_on <= here.today
          AND (c.occasions_through IS NULL OR c.occasions_through < c.seasonal_on)))
  ORDER BY c.merchant_id, c.id
$function$;
GRANT EXECUTE ON FUNCTION due_occasions(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE PROCEDURE public.enter_merchant(IN merchant uuid)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  PERFORM pg_catalog.set_config('app.merchant_id', merchant::text, true);
  IF EXISTS (
    SELECT FROM public.merchant_moves v
    WHERE v.merchant_id = merchant AND (v.state <> 'leaving' OR v.stopped_at IS NOT NULL))
  THEN
    RAISE SQLSTATE 'LM001' USING MESSAGE = 'the merchant is being moved';
  END IF;
END $procedure$;
GRANT EXECUTE ON PROCEDURE enter_merchant(uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.find_api_key(key_hash bytea)
 RETURNS TABLE(api_key_id uuid, environment api_environment, expires_at timestamp with time zone, revoked_at timestamp with time zone, store_id uuid, store_code text, store_name text, merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text, pin_required boolean, balance_limit bigint, earning_sale_limit bigint, customer_daily_points bigint, customer_daily_value bigint, key_daily_points bigint, key_daily_value bigint, earn_points integer, earn_per_amount bigint, point_value bigint, min_redeem_points integer, points_expiry_months integer, backdating_days integer, enrol_on_sale boolean, clock_ahead_seconds integer, notice_kinds text[], quiet_from text, quiet_until text, event_types text[], rate_per_second integer, rate_burst integer, scope text, networks cidr[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION find_api_key(bytea) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.first_id_at(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$function$;
GRANT EXECUTE ON FUNCTION first_id_at(timestamp with time zone) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.fold_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT btrim(regexp_replace(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), '[''’.]', '', 'g'), '[\s,/_-]+', ' ', 'g'))
$function$;
GRANT EXECUTE ON FUNCTION fold_name(text) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.forget_customer_imports(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION forget_customer_imports(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_diners(ended timestamp with time zone, before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION forget_diners(timestamp with time zone,timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_events(before uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION forget_events(uuid,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_invitations(before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  DELETE FROM invitations i
  WHERE i.expires_at < before AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = i.merchant_id)
$function$;
GRANT EXECUTE ON FUNCTION forget_invitations(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_job_runs(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  WITH deleted AS (
    DELETE FROM job_runs WHERE ctid = ANY (ARRAY(
      SELECT j.ctid FROM job_runs j
      WHERE j.updated_at < before AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = j.merchant_id) LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$function$;
GRANT EXECUTE ON FUNCTION forget_job_runs(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_menu_photos(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION forget_menu_photos(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_password_resets(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  WITH deleted AS (
    DELETE FROM password_resets
    WHERE token_hash = ANY (ARRAY(SELECT r.token_hash FROM password_resets r WHERE r.expires_at <= before LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$function$;
GRANT EXECUTE ON FUNCTION forget_password_resets(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forget_staff_sessions(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  WITH deleted AS (
    DELETE FROM staff_sessions WHERE ctid = ANY (ARRAY(SELECT ctid FROM staff_sessions WHERE last_seen_at < before LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM deleted
$function$;
GRANT EXECUTE ON FUNCTION forget_staff_sessions(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.forgotten_bills(before timestamp with time zone, most integer)
 RETURNS TABLE(merchant_id uuid, bill_uid uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT b.merchant_id, b.id FROM bills b JOIN merchants m ON m.id = b.merchant_id
  WHERE b.state = 'open' AND b.updated_at <= before + make_interval(secs => m.clock_ahead_seconds)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = b.merchant_id)
  ORDER BY b.updated_at LIMIT most
$function$;
GRANT EXECUTE ON FUNCTION forgotten_bills(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.give_up_messages(before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  UPDATE messages g SET state = 'failed', secret = NULL, failure = '{"key": "givenUp", "values": {}}',
    updated_at = now() + make_interval(secs => m.clock_ahead_seconds)
  FROM merchants m
  WHERE m.id = g.merchant_id AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND state = 'queued' AND g.due_at IS NULL
    AND g.created_at < before + make_interval(secs => m.clock_ahead_seconds)
$function$;
GRANT EXECUTE ON FUNCTION give_up_messages(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.has_second_factor(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM authenticators a WHERE a.user_id = person) OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = person)
$function$;
GRANT EXECUTE ON FUNCTION has_second_factor(uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.has_working_keys(kind api_environment)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT FROM api_keys k JOIN merchants m ON m.id = k.merchant_id AND m.closed_at IS NULL
    WHERE k.environment = kind AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))
$function$;
GRANT EXECUTE ON FUNCTION has_working_keys(api_environment) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.index_changed_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION index_changed_customer() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.index_new_customers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO customer_terms (merchant_id, term, customer_id)
  SELECT n.merchant_id, t.term, n.id
  FROM new_rows n CROSS JOIN LATERAL (
    SELECT customer_terms_of(n.given_name, n.last_name, n.phone, n.email) UNION ALL SELECT customer_tag_terms(n.tags)
  ) AS t (term);
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION index_new_customers() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.invitation_by_token(hash bytea)
 RETURNS TABLE(merchant_id uuid, invitation_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT i.merchant_id, i.id FROM invitations i
  WHERE i.token_hash = hash AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = i.merchant_id)
$function$;
GRANT EXECUTE ON FUNCTION invitation_by_token(bytea) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.local_date(zone text, at timestamp with time zone)
 RETURNS date
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN (at AT TIME ZONE zone)::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION local_date(text,timestamp with time zone) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.local_date(zone text, at timestamp with time zone, day_starts_at smallint)
 RETURNS date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN (at AT TIME ZONE zone - make_interval(hours => day_starts_at))::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION local_date(text,timestamp with time zone,smallint) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.members_with_second_factor(merchant uuid)
 RETURNS TABLE(user_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT p.user_id FROM memberships p
  WHERE p.merchant_id = merchant AND p.merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND has_second_factor(p.user_id)
$function$;
GRANT EXECUTE ON FUNCTION members_with_second_factor(uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.menu_photo(photo uuid, wants_large boolean)
 RETURNS TABLE(content bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT CASE WHEN wants_large THEN p.large ELSE p.small END FROM menu_photos p
  WHERE p.id = photo AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = p.merchant_id)
$function$;
GRANT EXECUTE ON FUNCTION menu_photo(uuid,boolean) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchant_of_card_account(account text)
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m WHERE m.card_account_id = account
$function$;
GRANT EXECUTE ON FUNCTION merchant_of_card_account(text) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchants_that_remind()
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m WHERE m.closed_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND 'value-expiring' = ANY (m.notice_kinds)
$function$;
GRANT EXECUTE ON FUNCTION merchants_that_remind() TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchants_to_summarize(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT DISTINCT m.id
  FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  CROSS JOIN LATERAL (
    SELECT greatest(m.day_starts_at, max(o.day_starts_at)) AS starts_at FROM stores o WHERE o.merchant_id = m.id
  ) latest
  WHERE s.role <> 'cashier' AND m.closed_at IS NULL
    AND NOT EXISTS (SELECT FROM stopped_merchants() o WHERE o.merchant_id = m.id)
    AND s.summarized_until <
      local_date(m.time_zone, at + make_interval(secs => m.clock_ahead_seconds), latest.starts_at) - 1
$function$;
GRANT EXECUTE ON FUNCTION merchants_to_summarize(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchants_with_card_payments(since timestamp with time zone, first_id uuid)
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m
  WHERE (
      EXISTS (
        SELECT FROM top_up_requests r WHERE r.merchant_id = m.id AND r.id >= first_id AND r.payment_id IS NOT NULL)
      OR EXISTS (SELECT FROM bill_payments p WHERE p.merchant_id = m.id AND p.state = 'taken' AND p.taken_at >= since))
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
$function$;
GRANT EXECUTE ON FUNCTION merchants_with_card_payments(timestamp with time zone,uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchants_with_due_notices(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m
  WHERE m.closed_at IS NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND EXISTS (
      SELECT FROM messages g WHERE g.merchant_id = m.id AND g.state = 'queued' AND g.due_at IS NOT NULL
        AND g.due_at <= at + make_interval(secs => m.clock_ahead_seconds))
$function$;
GRANT EXECUTE ON FUNCTION merchants_with_due_notices(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchants_with_ended_stock_outs(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() h WHERE h.merchant_id = m.id) AND EXISTS (
    SELECT FROM stock_outs s WHERE s.merchant_id = m.id AND s.until <= at + make_interval(secs => m.clock_ahead_seconds))
$function$;
GRANT EXECUTE ON FUNCTION merchants_with_ended_stock_outs(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.merchants_with_expired_value(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id FROM merchants m
  WHERE m.closed_at IS NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND EXISTS (
      SELECT FROM lots l WHERE l.merchant_id = m.id AND l.open
        AND l.expires_at <= at + make_interval(secs => m.clock_ahead_seconds))
$function$;
GRANT EXECUTE ON FUNCTION merchants_with_expired_value(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.moved_to(kind text, reference bytea)
 RETURNS TABLE(merchant_id uuid, state text, cell text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION moved_to(text,bytea) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.password_reset_by_token(hash bytea, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, email text, merchant_names text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT u.id, u.email, ARRAY(
    SELECT m.name FROM memberships p JOIN merchants m ON m.id = p.merchant_id
    WHERE p.user_id = u.id AND NOT EXISTS (SELECT FROM unserved_merchants() o WHERE o.merchant_id = m.id))
  FROM password_resets r
  JOIN users u ON u.id = r.user_id AND u.session_version = r.session_version
  WHERE r.token_hash = hash AND r.expires_at > at
$function$;
GRANT EXECUTE ON FUNCTION password_reset_by_token(bytea,timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.place_at_moved_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.queued_xid := NEW.queued_xid - (1::bigint << 40);
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION place_at_moved_event() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.place_before_own_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.xid := NEW.xid - (1::bigint << 40);
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION place_before_own_events() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.purpose_of_payment(payment text)
 RETURNS TABLE(merchant_id uuid, top_up_request_id uuid, bill_payment_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT r.merchant_id, r.id, NULL::uuid FROM top_up_requests r WHERE r.payment_id = payment
  UNION ALL
  SELECT p.merchant_id, NULL::uuid, p.id FROM bill_payments p WHERE p.payment_id = payment
$function$;
GRANT EXECUTE ON FUNCTION purpose_of_payment(text) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.qr_code_by_token(hash bytea)
 RETURNS TABLE(merchant_id uuid, qr_code_id uuid, clock_ahead_seconds integer, merchant_closed_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT q.merchant_id, q.id, m.clock_ahead_seconds, m.closed_at FROM qr_codes q JOIN merchants m ON m.id = q.merchant_id
  WHERE q.token_hash = hash AND NOT EXISTS (SELECT FROM unserved_merchants() u WHERE u.merchant_id = m.id)
$function$;
GRANT EXECUTE ON FUNCTION qr_code_by_token(bytea) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.record_api_requests(requests json)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  INSERT INTO api_requests (merchant_id, api_key_id, id, operation, status, error_code, duration_ms, created_at)
  SELECT "merchantId", "apiKeyId", id, operation, status, "errorCode", "durationMs", "createdAt"
  FROM json_to_recordset(requests) AS request ("merchantId" uuid, "apiKeyId" uuid, id uuid, operation text,
    status smallint, "errorCode" text, "durationMs" real, "createdAt" timestamptz)
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = request."merchantId")
$function$;
GRANT EXECUTE ON FUNCTION record_api_requests(json) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.record_delivery_receipt(provider text, new_state message_state, reason jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION record_delivery_receipt(text,message_state,jsonb) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.report_backlog(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION report_backlog(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.reports_behind(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id, days.rule, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  CROSS JOIN LATERAL (
    SELECT m.time_zone || ' ' || m.day_starts_at || coalesce((
      SELECT string_agg(' ' || s.id || ' ' || s.day_starts_at, '' ORDER BY s.id)
      FROM stores s WHERE s.merchant_id = m.id AND s.day_starts_at IS NOT NULL), '') AS rule
  ) days
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (m.clock_moved_at IS NULL OR m.clock_moved_at < at)
    AND (p.merchant_id IS NULL OR p.time_zone <> days.rule OR e.id > p.entry_id
      OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= own.until)
      OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= own.until)
      OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= own.until))
$function$;
GRANT EXECUTE ON FUNCTION reports_behind(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.reports_behind_version(at timestamp with time zone, version integer)
 RETURNS TABLE(merchant_id uuid, time_zone text, clock_ahead_seconds integer, last_entry_id bigint, next_xid xid8)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT m.id, days.rule, m.clock_ahead_seconds, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  CROSS JOIN LATERAL (SELECT first_id_at(at + make_interval(secs => m.clock_ahead_seconds)) AS until) own
  CROSS JOIN LATERAL (
    SELECT 'v' || version || ' ' || m.time_zone || ' ' || m.day_starts_at || coalesce((
      SELECT string_agg(' ' || s.id || ' ' || s.day_starts_at, '' ORDER BY s.id)
      FROM stores s WHERE s.merchant_id = m.id AND s.day_starts_at IS NOT NULL), '') AS rule
  ) days
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
    AND (m.clock_moved_at IS NULL OR m.clock_moved_at < at)
    AND (p.merchant_id IS NULL OR p.time_zone <> days.rule OR e.id > p.entry_id
      OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= own.until)
      OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= own.until)
      OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= own.until))
$function$;
GRANT EXECUTE ON FUNCTION reports_behind_version(timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.reset_sandbox_merchant(merchant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
    'webhook_deliveries', 'events', 'card_disputes', 'bill_payments', 'bills',
    'table_calls', 'order_lines', 'orders', 'qr_codes', 'stock_outs', 'messages', 'diner_sessions', 'diner_codes', 'top_up_requests',
    'vouchers', 'voucher_counts', 'voucher_tallies', 'voucher_issues', 'sale_payments', 'sale_lines', 'sales',
    'cash_up_entries', 'cash_up_counts', 'cash_ups', 'partial_refunds', 'staff_top_ups', 'adjustments', 'ledger_entries', 'lots', 'transactions', 'voids',
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
END $function$;
GRANT EXECUTE ON FUNCTION reset_sandbox_merchant(uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.revive_lots(lot_ids uuid[], until timestamp with time zone, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
DECLARE
  tenant uuid := nullif(current_setting('app.merchant_id', true), '')::uuid;
  found integer;
BEGIN
  UPDATE lots l SET expires_at = until, expired_at = l.expires_at, revived_at = at
  FROM merchants m
  CROSS JOIN LATERAL (SELECT now() + make_interval(secs => m.clock_ahead_seconds) AS now) own
  WHERE m.id = tenant AND l.merchant_id = tenant AND l.id = ANY (lot_ids)
    AND l.expires_at <= at AND at <= own.now + interval '1 minute'
    AND until > at AND until <= own.now + make_interval(days => m.returned_value_days + 2);
  GET DIAGNOSTICS found = ROW_COUNT;
  IF found <> cardinality(lot_ids) THEN
    RAISE insufficient_privilege USING MESSAGE = 'these lots may not live until then';
  END IF;
END $function$;
GRANT EXECUTE ON FUNCTION revive_lots(uuid[],timestamp with time zone,timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.session_by_token(hash bytea, at timestamp with time zone, active_since timestamp with time zone, seen_before timestamp with time zone)
 RETURNS TABLE(session staff_sessions, person users, membership memberships, merchant merchants, store_ids uuid[], second_factor_from timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION session_by_token(bytea,timestamp with time zone,timestamp with time zone,timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.set_tenant(merchant uuid)
 RETURNS TABLE(id uuid)
 LANGUAGE plpgsql
 ROWS 1
AS $function$
BEGIN
  PERFORM pg_catalog.set_config('app.merchant_id', merchant::text, true);
  id := merchant;
  RETURN NEXT;
END $function$;
GRANT EXECUTE ON FUNCTION set_tenant(uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.staff_password(address text)
 RETURNS TABLE(user_id uuid, name text, email text, password_hash text, session_version integer, language text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT u.id, u.name, u.email, u.password_hash, u.session_version, u.language FROM users u WHERE u.email = address
$function$;
GRANT EXECUTE ON FUNCTION staff_password(text) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.staff_session(hash bytea, at timestamp with time zone, active_since timestamp with time zone, seen_before timestamp with time zone)
 RETURNS TABLE(session_id uuid, user_id uuid, name text, email text, merchant_id uuid, merchant_name text, role staff_role, all_stores boolean, store_ids uuid[], confirmed_at timestamp with time zone, second_factor_from timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT (f.session).id, (f.person).id, (f.person).name, (f.person).email, (f.merchant).id, (f.merchant).name,
      (f.membership).role, (f.membership).all_stores, f.store_ids, (f.session).confirmed_at::timestamptz,
      f.second_factor_from
    FROM session_by_token(hash, at, active_since, seen_before) f
    ORDER BY (f.merchant).name, (f.merchant).id;
END $function$;
GRANT EXECUTE ON FUNCTION staff_session(bytea,timestamp with time zone,timestamp with time zone,timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.stalled_customer_imports(before timestamp with time zone)
 RETURNS TABLE(merchant_id uuid, import_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT i.merchant_id, i.id FROM customer_imports i JOIN merchants m ON m.id = i.merchant_id AND m.closed_at IS NULL
  WHERE (i.finished_at IS NULL AND i.state = 'running' OR i.undo_started_at IS NOT NULL AND i.undone_at IS NULL)
    AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
  ORDER BY i.updated_at LIMIT 100
$function$;
GRANT EXECUTE ON FUNCTION stalled_customer_imports(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.stalled_voucher_issues(before timestamp with time zone)
 RETURNS TABLE(merchant_id uuid, issue_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT i.merchant_id, i.id
  FROM voucher_issues i
  JOIN voucher_campaigns c ON c.merchant_id = i.merchant_id AND c.id = i.campaign_id
  JOIN merchants m ON m.id = i.merchant_id AND m.closed_at IS NULL
  WHERE i.finished_at IS NULL AND i.updated_at < before + make_interval(secs => m.clock_ahead_seconds)
    AND c.paused_at IS NULL AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = m.id)
  ORDER BY i.updated_at LIMIT 100
$function$;
GRANT EXECUTE ON FUNCTION stalled_voucher_issues(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.stopped_merchants()
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT v.merchant_id FROM public.merchant_moves v WHERE v.state <> 'leaving' OR v.stopped_at IS NOT NULL
$function$;
-- For the owner alone.

CREATE OR REPLACE FUNCTION public.take_tokens(bucket_name text, rate double precision, burst integer, wanted integer)
 RETURNS TABLE(granted integer, wait_ms integer)
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION take_tokens(text,double precision,integer,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.tally_changed_vouchers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION tally_changed_vouchers() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.tally_new_vouchers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;
GRANT EXECUTE ON FUNCTION tally_new_vouchers() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.top_ups_to_check(refused_before timestamp with time zone, at timestamp with time zone, most integer)
 RETURNS TABLE(merchant_id uuid, top_up_request_id uuid, method top_up_method, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT r.merchant_id, r.id, r.method, r.created_at FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at <= at - interval '1 minute'
    AND (r.state <> 'open' OR (r.method = 'card' AND coalesce(r.check_at, at) <= at) OR (r.method = 'counter' AND r.expires_at <= at))
    -- Staff have made the refund in another way.
    AND (r.state <> 'refunding' OR r.acknowledged_at IS NULL)
    AND (r.refund_refused_at IS NULL OR r.refund_refused_at < refused_before)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = r.merchant_id)
  ORDER BY r.created_at LIMIT most
$function$;
GRANT EXECUTE ON FUNCTION top_ups_to_check(timestamp with time zone,timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.top_ups_to_settle(before timestamp with time zone, refused_before timestamp with time zone, at timestamp with time zone, most integer)
 RETURNS TABLE(merchant_id uuid, top_up_request_id uuid, method top_up_method)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT r.merchant_id, r.id, r.method FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at < before AND (r.method = 'card' OR r.expires_at <= at)
    -- Staff have made the refund in another way.
    AND (r.state <> 'refunding' OR r.acknowledged_at IS NULL)
    AND (r.refund_refused_at IS NULL OR r.refund_refused_at < refused_before)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = r.merchant_id)
  ORDER BY r.created_at LIMIT most
$function$;
GRANT EXECUTE ON FUNCTION top_ups_to_settle(timestamp with time zone,timestamp with time zone,timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.unserved_merchants()
 RETURNS TABLE(merchant_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT v.merchant_id FROM public.merchant_moves v WHERE v.state <> 'leaving'
$function$;
-- For the owner alone.

CREATE OR REPLACE FUNCTION public.unsettled_bill_payments(before timestamp with time zone, refused_before timestamp with time zone, most integer)
 RETURNS TABLE(merchant_id uuid, bill_payment_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT p.merchant_id, p.id FROM bill_payments p JOIN merchants m ON m.id = p.merchant_id
  WHERE (NOT p.checkout_ended
      OR (p.state = 'taken' AND p.amount + p.tip - p.kept_amount - p.kept_tip > p.returned_amount))
    AND (p.state <> 'held' OR p.created_at < before + make_interval(secs => m.clock_ahead_seconds))
    AND (p.refund_refused_at IS NULL OR p.refund_refused_at < refused_before)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = p.merchant_id)
  ORDER BY p.created_at LIMIT most
$function$;
GRANT EXECUTE ON FUNCTION unsettled_bill_payments(timestamp with time zone,timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.unsettled_top_ups(before timestamp with time zone, at timestamp with time zone, most integer)
 RETURNS TABLE(merchant_id uuid, top_up_request_id uuid, method top_up_method)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT r.merchant_id, r.id, r.method FROM top_up_requests r
  WHERE r.state IN ('open', 'refunding') AND r.created_at < before AND (r.method = 'card' OR r.expires_at <= at)
    AND NOT EXISTS (SELECT FROM stopped_merchants() s WHERE s.merchant_id = r.merchant_id)
  ORDER BY r.created_at LIMIT most
$function$;
GRANT EXECUTE ON FUNCTION unsettled_top_ups(timestamp with time zone,timestamp with time zone,integer) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.webhook_endpoints_due(at timestamp with time zone)
 RETURNS TABLE(merchant_id uuid, endpoint_id uuid, is_failing boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION webhook_endpoints_due(timestamp with time zone) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.works_only_at(person uuid, merchant uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT coalesce(bool_and(p.merchant_id = merchant AND p.merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid), false)
  FROM memberships p WHERE p.user_id = person
$function$;
GRANT EXECUTE ON FUNCTION works_only_at(uuid,uuid) TO loyalty_app;

CREATE OR REPLACE FUNCTION public.zone_offsets(zone text)
 RETURNS TABLE(starts_at timestamp with time zone, ahead_seconds integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
  WITH weeks AS (
    SELECT at, lag(at) OVER (ORDER BY at) AS before, (at AT TIME ZONE zone) - (at AT TIME ZONE 'UTC') AS ahead
    FROM generate_series('1990-01-01T00:00Z'::timestamptz, '2101-01-01T00:00Z', '168 hours') AS at
  ), changes AS (
    SELECT w.before, w.at, lag(w.ahead) OVER (ORDER BY w.at) AS ahead_before, w.ahead FROM weeks w
  ), days AS (
    SELECT day - interval '24 hours' AS day, c.ahead_before, c.ahead
    FROM changes c CROSS JOIN LATERAL (
      SELECT day FROM generate_series(c.before + interval '24 hours', c.at, '24 hours') AS day
      WHERE (day AT TIME ZONE zone) - (day AT TIME ZONE 'UTC') <> c.ahead_before ORDER BY day LIMIT 1
    ) first
    WHERE c.ahead <> c.ahead_before
  )
  SELECT at, extract(epoch FROM w.ahead)::integer FROM weeks w WHERE w.before IS NULL
  UNION ALL
  SELECT quarter, extract(epoch FROM d.ahead)::integer
  FROM days d CROSS JOIN LATERAL (
    SELECT quarter FROM generate_series(d.day, d.day + interval '24 hours', '15 minutes') AS quarter
    WHERE (quarter AT TIME ZONE zone) - (quarter AT TIME ZONE 'UTC') <> d.ahead_before ORDER BY quarter LIMIT 1
  ) first
  ORDER BY 1;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN;
END $function$;
GRANT EXECUTE ON FUNCTION zone_offsets(text) TO PUBLIC;
