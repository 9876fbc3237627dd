GRANT SELECT, INSERT, DELETE ON ledger_days, transaction_days, voucher_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (granted, spent, voided, expired, adjusted) ON ledger_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (count, amount) ON transaction_days TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (issued, redeemed, discount) ON voucher_days TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON report_progress TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (time_zone, entry_id, transaction_uid, void_id, voucher_id) ON report_progress TO loyalty_app;
--> statement-breakpoint
-- The merchants of whom something is not summed up yet, of what the application had made by the id `until`; each with
-- its last ledger entry, and the first database transaction that had not begun.
CREATE FUNCTION report_backlog(until uuid) RETURNS TABLE (
  merchant_id uuid, time_zone text, last_entry_id bigint, next_xid xid8
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id, m.time_zone, e.id, pg_snapshot_xmax(pg_current_snapshot())
  FROM merchants m
  LEFT JOIN report_progress p ON p.merchant_id = m.id
  LEFT JOIN LATERAL (
    SELECT l.id FROM ledger_entries l WHERE l.merchant_id = m.id ORDER BY l.id DESC LIMIT 1
  ) e ON true
  WHERE p.merchant_id IS NULL OR p.time_zone <> m.time_zone OR e.id > p.entry_id
    OR EXISTS (SELECT FROM transactions t WHERE t.merchant_id = m.id AND t.uid > p.transaction_uid AND t.uid <= until)
    OR EXISTS (SELECT FROM voids v WHERE v.merchant_id = m.id AND v.id > p.void_id AND v.id <= until)
    OR EXISTS (SELECT FROM vouchers v WHERE v.merchant_id = m.id AND v.id > p.voucher_id AND v.id <= until)
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION report_backlog(uuid) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION report_backlog(uuid) TO loyalty_app;
