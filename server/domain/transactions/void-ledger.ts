import type { Tx } from '@/db/client';
import { newId } from '../core/ids';
import { post } from '../ledger/post';
import type { RecordedType } from './schemas';
import type { Debt, Ledger, PlannedLot, RecordedEntry, VoidableTransaction, VoidPlan } from './void-plan';

export type LoadedLedger = Omit<Ledger, 'now'>;

/** What `planVoid` needs to know of the ledger, for each batch; no two of them have a customer in common. */
export async function loadLedgers(tx: Tx, batches: VoidableTransaction[][]): Promise<LoadedLedger[]> {
  const transactions = batches.flat();
  if (transactions.length === 0) return batches.map(() => ({ transactions: [], entries: [], lots: [], debts: [] }));
  const { merchantId, sql } = tx;
  const uids = transactions.map(({ uid }) => uid);
  const customerIds = customersOf(transactions);
  // The points lots of which they spent; and the lots that made up for those, when what had granted them was voided before.
  const madeUp = sql`
    with recursive made_up (lot_id, granted_by) as (
      select l.id, l.transaction_uid from ledger_entries e
      join lots l on l.merchant_id = e.merchant_id and l.id = e.lot_id
      where e.merchant_id = ${merchantId} and e.transaction_uid = any(${uids}::uuid[]) and e.part = 'points' and e.amount < 0
      union
      select o.id, o.transaction_uid from made_up m
      cross join lateral (
        select l.id, l.transaction_uid from ledger_entries v
        join lots l on l.merchant_id = v.merchant_id and l.id = v.lot_id
        where v.merchant_id = ${merchantId} and v.transaction_uid = m.granted_by and v.kind = 'void' offset 0
      ) o
    )`;
  const [entries, lots, debts] = await Promise.all([
    sql<RecordedEntry[]>`
      ${madeUp}
      select id, transaction_uid as "transactionUid", customer_id as "customerId", lot_id as "lotId", part, kind, amount
      from ledger_entries where merchant_id = ${merchantId} and transaction_uid = any(${uids}::uuid[])
      union all
      select e.id, e.transaction_uid, e.customer_id, e.lot_id, e.part, e.kind, e.amount
      from lots l join ledger_entries e on e.merchant_id = l.merchant_id and e.lot_id = l.id
      where l.merchant_id = ${merchantId} and l.transaction_uid = any(${uids}::uuid[]) and e.kind = 'expiry'
        and not e.transaction_uid = any(${uids}::uuid[])
      union all
      select v.id, v.transaction_uid, v.customer_id, v.lot_id, v.part, v.kind, v.amount
      from (select distinct granted_by from made_up) m
      cross join lateral (
        select * from ledger_entries
        where merchant_id = ${merchantId} and transaction_uid = m.granted_by and kind = 'void' offset 0
      ) v
      where not m.granted_by = any(${uids}::uuid[])`,
    sql<PlannedLot[]>`
      ${madeUp}
      select l.id, l.customer_id as "customerId", l.transaction_uid as "transactionUid", l.part, l.granted, l.remaining,
        l.expires_at as "expiresAt"
      from lots l where l.merchant_id = ${merchantId} and l.id in (
        select lot_id from ledger_entries where merchant_id = ${merchantId} and transaction_uid = any(${uids}::uuid[])
        union
        select lot_id from made_up
        union
        select id from lots where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[]) and open and part = 'points')`,
    sql<Debt[]>`
      select uid as "transactionUid", customer_id as "customerId", points_shortfall as points from transactions
      where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[]) and points_shortfall > 0
      order by voided_at, uid`,
  ]);
  const [ofEntries, ofLots, ofDebts] = [ofCustomers(entries), ofCustomers(lots), ofCustomers(debts)];
  return batches.map((batch) => {
    const customers = customersOf(batch);
    const own = <T>(all: Map<string, T[]>) => customers.flatMap((customerId) => all.get(customerId) ?? []);
    return { transactions: batch, entries: own(ofEntries), lots: own(ofLots), debts: own(ofDebts) };
  });
}

/** The ids of their customers, each once. */
export const customersOf = (transactions: Pick<VoidableTransaction, 'customerId'>[]) => [
  ...new Set(transactions.flatMap(({ customerId }) => customerId ?? [])),
];

function ofCustomers<T extends { customerId: string }>(rows: T[]): Map<string, T[]> {
  const all = new Map<string, T[]>();
  for (const row of rows) {
    const own = all.get(row.customerId);
    if (own) own.push(row);
    else all.set(row.customerId, [row]);
  }
  return all;
}

/**
 * Vouchers that voided transactions redeemed can be used again; unused ones that they issued (for a sale) are cancelled, expired
 * or not: the sale never was.
 */
export function writeVouchers({ merchantId, sql }: Tx, voided: { uid: string; type: RecordedType | null }[]) {
  const uidsOf = (type: RecordedType) => voided.filter((row) => row.type === type).map(({ uid }) => uid);
  const [redeemed, issued] = [uidsOf('redeemVoucher'), uidsOf('sale')];
  return [
    redeemed.length === 0
      ? null
      : sql`
      update vouchers v set redeemed_by = null, redeemed_at = null,
        cancelled_at = (
          select r.voided_at from transactions i, transactions r
          where i.merchant_id = v.merchant_id and i.uid = v.issued_by and i.status = 'voided'
            and r.merchant_id = v.merchant_id and r.uid = v.redeemed_by
        )
      where merchant_id = ${merchantId} and redeemed_by = any(${redeemed}::uuid[])`,
    issued.length === 0
      ? null
      : sql`
      update vouchers v set cancelled_at = t.voided_at from transactions t
      where v.merchant_id = ${merchantId} and v.issued_by = any(${issued}::uuid[]) and v.redeemed_at is null
        and v.cancelled_at is null and t.merchant_id = ${merchantId} and t.uid = any(${issued}::uuid[]) and t.uid = v.issued_by`,
  ];
}

/** The statements that carry plans out, and null where there is nothing to do: unsent, to be sent together and in this order. */
export function writePlans(tx: Tx, plans: { plan: VoidPlan; now: Date }[]) {
  const { merchantId, sql } = tx;
  const expiries = new Map<string, { uid: string; customerId: string; now: Date }>();
  const entries = plans.flatMap(({ plan, now }) =>
    plan.entries.map((entry) => {
      if (entry.transactionUid !== null) return { ...entry, transactionUid: entry.transactionUid, createdAt: now };
      const { customerId } = entry;
      const { uid } = expiries.get(customerId) ?? { uid: newId(now.getTime()) };
      expiries.set(customerId, { uid, customerId, now });
      return { ...entry, transactionUid: uid, createdAt: now };
    }),
  );
  return [
    expiries.size === 0
      ? null
      : sql`
      insert into transactions (merchant_id, uid, type, status, customer_id, occurred_at, created_at)
      select ${merchantId}, uid, 'expiry', 'completed', "customerId", now, now
      from json_to_recordset(${JSON.stringify([...expiries.values()])}::text::json) as e (uid uuid, "customerId" uuid, now timestamptz)`,
    post(tx, entries),
  ];
}
