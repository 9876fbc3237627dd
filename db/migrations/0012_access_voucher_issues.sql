GRANT INSERT ON stored_value_packages, voucher_campaigns, voucher_tallies, voucher_issues TO loyalty_app;
--> statement-breakpoint
GRANT SELECT ON voucher_tallies, voucher_issues TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, kind, amount, bonus_amount, min_amount, max_amount, bonus_basis_points, bonus_expires_in_days,
  all_stores, valid_from, valid_until, position, archived_at) ON stored_value_packages TO loyalty_app;
--> statement-breakpoint
GRANT INSERT, DELETE ON stored_value_package_stores, voucher_campaign_stores TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, unit, value, plus, min_spend, max_discount, max_units, stackable, all_stores, valid_from,
  valid_until, validity_days, trigger, days_before, seasonal_on, last_visited_store_id, min_spent, not_seen_since,
  joined_before, holds_stored_value, occasions_through, total_limit, per_customer_limit, paused_at, archived_at)
  ON voucher_campaigns TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (cancel_reason) ON vouchers TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued, redeemed, cancelled, discount) ON voucher_tallies TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued_count, refused_count, done_through, updated_at, finished_at) ON voucher_issues TO loyalty_app;
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
CREATE TRIGGER tally_new AFTER INSERT ON vouchers REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_new_vouchers();
--> statement-breakpoint
CREATE TRIGGER tally_changed AFTER UPDATE ON vouchers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_vouchers();
--> statement-breakpoint
INSERT INTO voucher_tallies AS t (merchant_id, campaign_id, expires_at, slot, issued, redeemed, cancelled, discount)
  SELECT v.merchant_id, v.campaign_id, coalesce(v.expires_at, 'infinity'), get_byte(uuid_send(v.customer_id), 15) % 4,
    sum(v.sign), coalesce(sum(v.sign) FILTER (WHERE v.state = 'redeemed'), 0),
    coalesce(sum(v.sign) FILTER (WHERE v.state = 'cancelled'), 0), coalesce(sum(v.sign * x.amount), 0)
  FROM (SELECT 1 AS sign, n.* FROM vouchers n) v
  LEFT JOIN transactions x ON x.merchant_id = v.merchant_id AND x.uid = v.redeemed_by
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;
--> statement-breakpoint
-- Runs that nobody has carried on with since `before`, of all merchants: their worker is gone, or has not begun.
CREATE FUNCTION stalled_voucher_issues(before timestamptz) RETURNS TABLE (merchant_id uuid, issue_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT i.merchant_id, i.id
  FROM voucher_issues i JOIN voucher_campaigns c ON c.merchant_id = i.merchant_id AND c.id = i.campaign_id
  WHERE i.finished_at IS NULL AND i.updated_at < before AND c.paused_at IS NULL
  ORDER BY i.updated_at LIMIT 100
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION stalled_voucher_issues(timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION stalled_voucher_issues(timestamptz) TO loyalty_app;
