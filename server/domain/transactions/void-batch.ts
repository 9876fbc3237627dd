/** What all voids share, by a POS, by staff and for a refund: load, plan and write. Each void is all or nothing. */

import { and, desc, eq, inArray, lt, max, not, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, insertFrom, insertRows, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { events, ledgerEntries, lots, stores, transactions, voids } from '@/db/schema';
import { type RecordedType, transactionType } from '../engine';
import { endOfDayAfter } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { wantsEvent } from '../kernel/events';
import { newId } from '../kernel/ids';
import { loadSpendable, writeBalanceEvents } from '../ledger';
import type { VoidEffect } from './schemas';
import { effectsOf } from './void-effect';
import { type LoadedLedger, loadLedgers, writePlans, writeVouchers } from './void-ledger';
import { planVoid, type VoidPlan } from './void-plan';
import { holdersOf, isOfMerged, type VoidRow } from './void-rows';
import { selectVoucherChanges } from './void-vouchers';

/**
 * What voiding a batch does to the ledger, and what prevents it. If anything does, nothing of the batch may be written.
 */
export interface PlannedBatch {
  plan: VoidPlan;
  blocking: Blocking[];
  /** What the void does, by the uid of each completed transaction. */
  effects: Map<string, VoidEffect>;
}

interface Batch {
  merchant: Merchant;
  rows: VoidRow[];
  now: Date;
}

/**
 * Plans what voiding each batch does to the ledger. No two batches may share a customer. Transactions that are not
 * completed change nothing. To carry a plan out, read it while holding the customers' locks.
 */
export async function planBatches(tx: Tx, batches: Batch[]): Promise<PlannedBatch[]> {
  const completed = batches.map(({ rows }) => rows.filter(({ status }) => status === 'completed'));
  const all = completed.flat();
  const now = new Date(Math.max(...batches.map((batch) => batch.now.getTime())));
  const [ledgers, values, vouchers] = await Promise.all([
    loadLedgers(tx, completed),
    all.length === 0 ? [] : loadSpendable(tx, holdersOf(all), now),
    selectVoucherChanges(tx, all, now),
  ]);
  const before = new Map(values.map(({ customerId, ...value }) => [customerId, value]));
  const plans = batches.map((batch, n) =>
    planVoid({ ...(ledgers[n] as LoadedLedger), returnedUntil: returnedUntil(batch), now: batch.now }),
  );
  const blocking = await explainBlocking(tx, plans, all);
  return plans.map((plan, n) => ({
    plan,
    blocking: blocking.filter(({ uid }) => plan.blocking.includes(uid)),
    effects: effectsOf({ ...(batches[n] as Batch), plan, before, vouchers }),
  }));
}

/** Until when value can be spent that comes back after its last day; null if it expires at once. */
export const returnedUntil = ({ merchant, now }: Pick<Batch, 'merchant' | 'now'>): Date | null =>
  merchant.returnedValueDays === null ? null : endOfDayAfter(now, merchant.returnedValueDays, merchant);

/** Plans one batch. */
export async function planBatch(tx: Tx, batch: Batch): Promise<PlannedBatch> {
  const [planned] = await planBatches(tx, [batch]);
  return planned as PlannedBatch;
}

/** A transaction that spent what another one granted. An adjustment has neither `transactionId` nor store. */
export interface Spender {
  uid: string;
  transactionId: string | null;
  type: RecordedType;
  storeId: string | null;
  storeCode: string | null;
}

export interface Blocking {
  uid: string;
  transactionId: string | null;
  code: 'top_up_spent' | 'adjustment_spent' | 'not_voidable' | 'customer_merged';
  /** Newest first. */
  spentBy: Spender[];
}

/** What prevents voiding a merged customer's credits: the value has moved to other lots, of the kept customer. */
export const mergedBlocking = (rows: Pick<VoidRow, 'uid' | 'transactionId'>[]): Blocking[] =>
  rows.map(({ uid, transactionId }) => ({ uid, transactionId, code: 'customer_merged', spentBy: [] }));

/** True for a top-up or adjustment of a customer who was merged into another since. Sales and redemptions void. */
export const isMergedCredit = (row: VoidRow): boolean =>
  row.status === 'completed' && isOfMerged(row) && (row.type === 'topUp' || row.type === 'adjustment');

const mostSpenders = 20;

/**
 * Returns, for each grant that can't be taken back, the transactions that spent it. Voided transactions and those in
 * the same batch are left out.
 */
async function explainBlocking({ merchantId, db }: Tx, plans: VoidPlan[], all: VoidRow[]): Promise<Blocking[]> {
  const blocking = plans.flatMap((plan) => plan.blocking);
  if (blocking.length === 0) return [];
  const blocked = lots.transactionUid;
  const { uid, transactionId, type, storeId } = transactions;
  const { storeCode } = stores;
  const spenders = await db
    .select({ blocked, uid, transactionId, type, storeId, storeCode })
    .from(lots)
    .innerJoin(
      ledgerEntries,
      and(
        eq(ledgerEntries.merchantId, lots.merchantId),
        eq(ledgerEntries.customerId, lots.customerId),
        eq(ledgerEntries.lotId, lots.id),
      ),
    )
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, ledgerEntries.merchantId), eq(uid, ledgerEntries.transactionUid)),
    )
    .leftJoin(stores, and(eq(stores.merchantId, transactions.merchantId), eq(stores.id, transactions.storeId)))
    .where(
      and(
        eq(lots.merchantId, merchantId),
        anyOf(blocked, blocking),
        lt(ledgerEntries.amount, 0),
        inArray(ledgerEntries.kind, ['spend', 'adjustment']),
        eq(transactions.status, 'completed'),
        not(
          anyOf(
            uid,
            all.map((one) => one.uid),
          ),
        ),
      ),
    )
    .groupBy(blocked, uid, transactionId, type, storeId, storeCode)
    .orderBy(desc(max(ledgerEntries.id)));
  const spentBy = (spent: string): Spender[] =>
    spenders.flatMap(({ blocked: one, type: kind, ...spender }) =>
      one === spent && kind !== null ? [{ ...spender, type: kind }] : [],
    );
  return all
    .filter((one) => blocking.includes(one.uid))
    .map((one) => ({
      uid: one.uid,
      transactionId: one.transactionId,
      code: one.type === 'adjustment' ? 'adjustment_spent' : 'top_up_spent',
      spentBy: spentBy(one.uid).slice(0, mostSpenders),
    }));
}

/** A void to be written. */
export interface NewVoid {
  id: string;
  /** The POS's store and key, or the member of staff. Null if the payment was refunded or the diner took it back. */
  by: { storeId: string; apiKeyId: string } | { userId: string } | null;
  reason: string | null;
  now: Date;
  /** The transactions that it voids. None of them was voided before. */
  live: VoidRow[];
  plan: VoidPlan;
  effects: PlannedBatch['effects'];
  /** Whose settings decide which events are written. Null to write none, because the void is part of another change. */
  settings: Merchant | null;
}

const insertVoids = insertRows(voids, ['id', 'storeId', 'apiKeyId', 'userId', 'reason', 'createdAt']);

interface Marked {
  uid: string;
  voidId: string;
  voidedAt: Date;
  voidEffect: string | null;
}

const markVoided = prepare((db, given: Given<{ merchantId: string; marked: Marked[]; uids: string[] }>) => {
  const { uid, voidId, voidedAt, voidEffect } = transactions;
  const { $rows, ...marked } = recordset('marked', { uid, voidId, voidedAt, voidEffect }, given.marked);
  return db
    .update(transactions)
    .set({ status: 'voided', voidId: marked.voidId, voidedAt: marked.voidedAt, voidEffect: marked.voidEffect })
    .from($rows)
    .where(and(eq(transactions.merchantId, given.merchantId), anyOf(uid, given.uids), eq(uid, marked.uid)));
});

interface Owing {
  uid: string;
  pointsShortfall: number;
}

const setShortfalls = prepare((db, given: Given<{ merchantId: string; owing: Owing[]; uids: string[] }>) => {
  const { uid, pointsShortfall } = transactions;
  const { $rows, ...owing } = recordset('owing', { uid, pointsShortfall }, given.owing);
  return db
    .update(transactions)
    .set({ pointsShortfall: owing.pointsShortfall })
    .from($rows)
    .where(and(eq(transactions.merchantId, given.merchantId), anyOf(uid, given.uids), eq(uid, owing.uid)));
});

const uidsOf = (rows: { uid: string }[]) => rows.map(({ uid }) => uid);

/**
 * Returns the unsent statements that write voids; null where there is nothing to do. Send them together, in this order.
 */
export function writeVoids(tx: Tx, written: NewVoid[]) {
  const { merchantId, db } = tx;
  const rows = written.map(({ id, by, reason, now }) => ({ id, ...by, reason, createdAt: now }));
  const marked = written.flatMap(({ id: voidId, live, effects, now: voidedAt }) =>
    live.map(({ uid }) => {
      const effect = effects.get(uid);
      return { uid, voidId, voidedAt, voidEffect: effect ? JSON.stringify(effect) : null };
    }),
  );
  const owing = written.flatMap(({ plan }) =>
    Array.from(plan.shortfalls, ([uid, pointsShortfall]) => ({ uid, pointsShortfall })),
  );
  return [
    insertVoids(tx, rows),
    ...writePlans(tx, written),
    marked.length === 0 ? null : markVoided(db, { merchantId, marked, uids: uidsOf(marked) }),
    ...writeVouchers(
      tx,
      written.flatMap(({ live }) => live),
    ),
    owing.length === 0 ? null : setShortfalls(db, { merchantId, owing, uids: uidsOf(owing) }),
    writeEvents(tx, written),
    writeBalanceEvents(
      tx,
      written.flatMap(({ settings: merchant, plan, now }) =>
        merchant
          ? [
              {
                merchant,
                customerIds: [...new Set(plan.entries.map(({ customerId }) => customerId))],
                cause: 'void',
                now,
              },
            ]
          : [],
      ),
    ),
  ];
}

const ofPos = new Set<string | null>(transactionType.options);

function writeEvents({ merchantId, db }: Tx, written: NewVoid[]) {
  const voided = written
    .filter(({ settings }) => settings !== null && wantsEvent(settings, 'transaction.voided'))
    .flatMap(({ live, now: occurredAt }) =>
      live
        .filter(({ type, status }) => status === 'completed' && ofPos.has(type))
        .map(({ uid }) => ({ uid, id: newId(), occurredAt })),
    );
  return voided.length === 0 ? null : insertEvents(db, { merchantId, voided, uids: uidsOf(voided) });
}

interface VoidEvent {
  uid: string;
  id: string;
  occurredAt: Date;
}

/** An event's data is what a look-up of the transaction returns. */
const insertEvents = prepare((_, given: Given<{ merchantId: string; voided: VoidEvent[]; uids: string[] }>) => {
  const { transactionId, type, status, answer, voidEffect, storeId } = transactions;
  const { $rows, ...voided } = recordset(
    'voided',
    { uid: transactions.uid, id: events.id, occurredAt: events.occurredAt },
    given.voided,
  );
  const data = sql<object>`jsonb_build_object(
    'transactionId', ${transactionId}, 'type', ${type}, 'status', ${status}, 'answer', ${answer}::jsonb,
    'effect', ${voidEffect}::jsonb)`;
  const row = { merchantId: given.merchantId, id: voided.id, type: 'transaction.voided' as const, storeId };
  const isIts = and(
    eq(transactions.merchantId, given.merchantId),
    anyOf(transactions.uid, given.uids),
    eq(transactions.uid, voided.uid),
  );
  return insertFrom(
    events,
    { ...row, occurredAt: voided.occurredAt, data },
    sql`${$rows} join ${transactions} on ${isIts} order by ${voided.id}`,
  );
});
