/** What voiding by a POS, by staff and for a refund share: load, plan and write, each void all or nothing. */
import type { Tx } from '@/db/client';
import type { RecordedType, TransactionStatus } from './schemas';
import { type LoadedLedger, loadLedgers, writePlans, writeVouchers } from './void-ledger';
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
  /** The void that voided it. */
  voidId: string | null;
}

export const voidRowColumns =
  't.uid, t.transaction_id as "transactionId", t.type, t.status, t.customer_id as "customerId", t.points_shortfall as "pointsShortfall", t.void_id as "voidId"';

/** What voiding a batch does to the ledger, and what stands in its way: then nothing of it may be written. */
export interface PlannedBatch {
  plan: VoidPlan;
  blocking: Blocking[];
}

/**
 * What voiding does to the ledger: of batches that have no customer in common; transactions not completed do nothing. Read
 * behind the customers' locks to carry it out.
 */
export async function planBatches(tx: Tx, batches: { rows: VoidRow[]; now: Date }[]): Promise<PlannedBatch[]> {
  const completed = batches.map(({ rows }) => rows.filter(({ status }) => status === 'completed'));
  const ledgers = await loadLedgers(tx, completed);
  const plans = batches.map(({ now }, n) => planVoid({ ...(ledgers[n] as LoadedLedger), now }));
  const blocking = await explainBlocking(tx, plans, completed.flat());
  return plans.map((plan) => ({ plan, blocking: blocking.filter(({ uid }) => plan.blocking.includes(uid)) }));
}

/** The same of one batch. */
export async function planBatch(tx: Tx, rows: VoidRow[], now: Date): Promise<PlannedBatch> {
  const [planned] = await planBatches(tx, [{ rows, now }]);
  return planned as PlannedBatch;
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

/** Says what spent each grant that stands in the way: what still counts, and is not voided with it. */
async function explainBlocking({ merchantId, sql }: Tx, plans: VoidPlan[], all: VoidRow[]): Promise<Blocking[]> {
  const blocking = plans.flatMap((plan) => plan.blocking);
  if (blocking.length === 0) return [];
  const uids = all.map(({ uid }) => uid);
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
  return all
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

/** A void as it is to be written. */
export interface NewVoid {
  id: string;
  /** The POS's store and key, or the member of staff; null where what was paid was refunded. */
  by: { storeId: string; apiKeyId: string } | { userId: string } | null;
  reason: string | null;
  now: Date;
  /** The transactions that it voids, none of them voided before. */
  live: VoidRow[];
  plan: VoidPlan;
}

/** The statements that write voids, and null where there is nothing to do: unsent, to be sent together and in this order. */
export function writeVoids(tx: Tx, voids: NewVoid[]) {
  const { merchantId, sql } = tx;
  const rows = voids.map(({ id, by, reason, now }) => ({ id, ...by, reason, now }));
  const voided = voids.flatMap(({ id, live, now }) => live.map(({ uid }) => ({ uid, id, now })));
  const shortfalls = voids.flatMap(({ plan }) => [...plan.shortfalls].map(([uid, points]) => ({ uid, points })));
  return [
    sql`
      insert into voids (merchant_id, id, store_id, api_key_id, user_id, reason, created_at)
      select ${merchantId}, id, "storeId", "apiKeyId", "userId", reason, now
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as v (id uuid, "storeId" uuid, "apiKeyId" uuid, "userId" uuid,
        reason text, now timestamptz)`,
    ...writePlans(tx, voids),
    voided.length === 0
      ? null
      : sql`
      update transactions t set status = 'voided', void_id = v.id, voided_at = v.now
      from json_to_recordset(${JSON.stringify(voided)}::text::json) as v (uid uuid, id uuid, now timestamptz)
      where t.merchant_id = ${merchantId} and t.uid = any(${voided.map(({ uid }) => uid)}::uuid[]) and t.uid = v.uid`,
    ...writeVouchers(
      tx,
      voids.flatMap(({ live }) => live),
    ),
    shortfalls.length === 0
      ? null
      : sql`
      update transactions t set points_shortfall = s.points
      from json_to_recordset(${JSON.stringify(shortfalls)}::text::json) as s (uid uuid, points bigint)
      where t.merchant_id = ${merchantId} and t.uid = any(${shortfalls.map(({ uid }) => uid)}::uuid[]) and t.uid = s.uid`,
  ];
}
