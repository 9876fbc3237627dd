/** What voiding by a POS and voiding by staff share: load, plan and write, all or nothing. */
import type { Tx } from '@/db/client';
import type { RecordedType, TransactionStatus } from './schemas';
import { loadLedger, writePlan, writeVouchers } from './void-ledger';
import { planVoid, type VoidPlan } from './void-plan';

/** A transaction that somebody wants voided. */
export interface VoidRow {
  uid: string;
  transactionId: string | null;
  /** Null: a tombstone. */
  type: RecordedType | null;
  status: TransactionStatus;
  customerId: string | null;
  pointsShortfall: number;
}

export const voidRowColumns =
  't.uid, t.transaction_id as "transactionId", t.type, t.status, t.customer_id as "customerId", t.points_shortfall as "pointsShortfall"';

export const customersOf = (rows: VoidRow[]) => [...new Set(rows.flatMap(({ customerId }) => customerId ?? []))];

/** What voiding `rows` does to the ledger; those not completed do nothing. Read behind the customers' locks to carry it out. */
export async function planBatch(tx: Tx, rows: VoidRow[], now: Date): Promise<{ plan: VoidPlan; blocking: Blocking[] }> {
  const completed = rows.filter(({ status }) => status === 'completed');
  const ledger = await loadLedger(tx, completed);
  const plan = planVoid({ transactions: completed, ...ledger, now });
  return { plan, blocking: await explainBlocking(tx, plan, completed) };
}

/** A transaction that spent what another granted. An adjustment has neither `transactionId` nor store. */
export interface Spender {
  uid: string;
  transactionId: string | null;
  type: RecordedType;
  storeCode: string | null;
}

export interface Blocking {
  uid: string;
  transactionId: string | null;
  code: 'top_up_spent' | 'adjustment_spent' | 'not_voidable';
  /** The newest first. */
  spentBy: Spender[];
}

const mostSpenders = 20;

/** Says what spent each grant that stands in the way: what still counts, and is not voided by the same batch. */
async function explainBlocking({ merchantId, sql }: Tx, { blocking }: VoidPlan, batch: VoidRow[]): Promise<Blocking[]> {
  if (blocking.length === 0) return [];
  const uids = batch.map(({ uid }) => uid);
  const spenders = await sql<(Spender & { blockedUid: string })[]>`
    select l.transaction_uid as "blockedUid", t.uid, t.transaction_id as "transactionId", t.type, s.store_code as "storeCode"
    from lots l
    join ledger_entries e on e.merchant_id = l.merchant_id and e.customer_id = l.customer_id and e.lot_id = l.id
    join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
    left join stores s on s.merchant_id = t.merchant_id and s.id = t.store_id
    where l.merchant_id = ${merchantId} and l.transaction_uid = any(${blocking}::uuid[]) and e.amount < 0
      and e.kind in ('spend', 'adjustment') and t.status = 'completed' and not t.uid = any(${uids}::uuid[])
    group by l.transaction_uid, t.uid, t.transaction_id, t.type, s.store_code
    order by max(e.id) desc`;
  return batch
    .filter(({ uid }) => blocking.includes(uid))
    .map(({ uid, transactionId, type }) => ({
      uid,
      transactionId,
      code: type === 'adjustment' ? 'adjustment_spent' : 'top_up_spent',
      spentBy: spenders
        .filter(({ blockedUid }) => blockedUid === uid)
        .slice(0, mostSpenders)
        .map(({ blockedUid: _, ...spender }) => spender),
    }));
}

interface VoidRecord {
  id: string;
  /** The POS's store and key, or the member of staff; null where what was paid was refunded. */
  by: { storeId: string; apiKeyId: string } | { userId: string } | null;
  reason: string | null;
  now: Date;
}

/**
 * The statements that void `live` (not voided yet) as planned, and null where there is nothing to do: unsent, to be sent
 * together and in this order.
 */
export function writeBatch(tx: Tx, { id, by, reason, now }: VoidRecord, live: VoidRow[], plan: VoidPlan) {
  const { merchantId, sql } = tx;
  const uids = live.map(({ uid }) => uid);
  const shortfalls = [...plan.shortfalls].map(([uid, points]) => ({ uid, points }));
  const { storeId, apiKeyId, userId } = { storeId: null, apiKeyId: null, userId: null, ...by };
  return [
    sql`
      insert into voids (merchant_id, id, store_id, api_key_id, user_id, reason, created_at)
      values (${merchantId}, ${id}, ${storeId}, ${apiKeyId}, ${userId}, ${reason}, ${now})`,
    ...writePlan(tx, plan, now),
    ...writeVouchers(tx, uids, now),
    sql`
      update transactions set status = 'voided', void_id = ${id}, voided_at = ${now}
      where merchant_id = ${merchantId} and uid = any(${uids}::uuid[])`,
    shortfalls.length === 0
      ? null
      : sql`
      update transactions t set points_shortfall = s.points
      from json_to_recordset(${JSON.stringify(shortfalls)}::text::json) as s (uid uuid, points bigint)
      where t.merchant_id = ${merchantId} and t.uid = s.uid`,
  ];
}
