import type { Tx } from '@/db/client';
import { newId } from '../core/ids';
import { post } from '../ledger/post';
import type { Debt, PlannedLot, RecordedEntry, VoidableTransaction, VoidPlan } from './void-plan';

/** What `planVoid` needs to know of the ledger; the customers' balances are locked. */
export async function loadLedger(tx: Tx, transactions: VoidableTransaction[]) {
  if (transactions.length === 0) return { entries: [], lots: [], debts: [] };
  const { merchantId, sql } = tx;
  const uids = transactions.map(({ uid }) => uid);
  const customerIds = [...new Set(transactions.flatMap(({ customerId }) => customerId ?? []))];
  const [entries, lots, debts] = await Promise.all([
    sql<RecordedEntry[]>`
      select id, transaction_uid as "transactionUid", customer_id as "customerId", lot_id as "lotId", part, kind, amount
      from ledger_entries where merchant_id = ${merchantId} and transaction_uid = any(${uids}::uuid[])
      union all
      select e.id, e.transaction_uid, e.customer_id, e.lot_id, e.part, e.kind, e.amount
      from lots l join ledger_entries e on e.merchant_id = l.merchant_id and e.lot_id = l.id
      where l.merchant_id = ${merchantId} and l.transaction_uid = any(${uids}::uuid[]) and e.kind = 'expiry'
        and not e.transaction_uid = any(${uids}::uuid[])`,
    sql<PlannedLot[]>`
      select l.id, l.customer_id as "customerId", l.transaction_uid as "transactionUid", l.part, l.granted, l.remaining,
        l.expires_at as "expiresAt"
      from lots l where l.merchant_id = ${merchantId} and l.id in (
        select lot_id from ledger_entries where merchant_id = ${merchantId} and transaction_uid = any(${uids}::uuid[])
        union
        select id from lots where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[]) and open and part = 'points')`,
    sql<Debt[]>`
      select uid as "transactionUid", customer_id as "customerId", points_shortfall as points from transactions
      where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[]) and points_shortfall > 0
      order by voided_at, uid`,
  ]);
  return { entries: [...entries], lots: [...lots], debts: [...debts] };
}

/** Vouchers that these transactions redeemed can be used again; unused ones that they issued are cancelled. */
export function writeVouchers({ merchantId, sql }: Tx, uids: string[], now: Date) {
  return [
    sql`
      update vouchers v set redeemed_by = null, redeemed_at = null,
        cancelled_at = case when exists (
          select from transactions t where t.merchant_id = v.merchant_id and t.uid = v.issued_by and t.status = 'voided'
        ) then ${now}::timestamptz end
      where merchant_id = ${merchantId} and redeemed_by = any(${uids}::uuid[])`,
    sql`
      update vouchers set cancelled_at = ${now}
      where merchant_id = ${merchantId} and issued_by = any(${uids}::uuid[]) and redeemed_at is null and cancelled_at is null`,
  ];
}

/** The statements that carry a plan out, and null where there is nothing to do: unsent, to be sent together and in this order. */
export function writePlan(tx: Tx, plan: VoidPlan, now: Date) {
  if (plan.entries.length === 0) return [];
  const { merchantId, sql } = tx;
  const expiries = new Map<string, string>();
  const entries = plan.entries.map((entry) => {
    if (entry.transactionUid !== null) return { ...entry, transactionUid: entry.transactionUid, createdAt: now };
    const uid = expiries.get(entry.customerId) ?? newId(now.getTime());
    expiries.set(entry.customerId, uid);
    return { ...entry, transactionUid: uid, createdAt: now };
  });
  const expiryRows = [...expiries].map(([customerId, uid]) => ({ customerId, uid }));
  return [
    expiryRows.length === 0
      ? null
      : sql`
      insert into transactions (merchant_id, uid, type, status, customer_id, occurred_at, created_at)
      select ${merchantId}, uid, 'expiry', 'completed', "customerId", ${now}, ${now}
      from json_to_recordset(${JSON.stringify(expiryRows)}::text::json) as e (uid uuid, "customerId" uuid)`,
    post(tx, entries),
  ];
}
