/**
 * Voids by staff: any of the merchant's transactions, by uid, after a preview of the effect. Staff of named stores can
 * void their stores' transactions. The effect on a customer's value spans all stores, so once the transactions are
 * found, no store is hidden. Spenders in other stores are not named.
 */

import { and, eq, isNotNull } from 'drizzle-orm';
import { type Database, showAllStores, type Tx, withMerchant, withSnapshot } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { adjustments, cardDisputes, transactions } from '@/db/schema';
import { findBillsOf, sendVoidedBills } from '../bills';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Merchant, StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { isElsewhere } from '../kernel/own-stores';
import { say } from '../kernel/say';
import { lockBalances } from '../ledger';
import { requireConfirmedFor } from '../merchants';
import type { StaffVoidInput } from './schemas';
import { type Blocking, isMergedCredit, mergedBlocking, planBatch, writeVoids } from './void-batch';
import { changesOf } from './void-effect';
import { describeVoid, effectOf, type StaffBatch, type VoidPreview } from './void-preview';
import { holdersOf, type VoidRow, voidRowColumns, withoutMoney } from './void-rows';

/**
 * Returns what voiding would do, and what prevents it, as of one moment and without locks. Errors:
 * `transaction_not_found`.
 */
export function previewVoid(ctx: StaffContext, { uids }: { uids: string[] }): Promise<VoidPreview> {
  return withSnapshot(ctx.db, ctx.merchant.id, async (tx) => {
    const now = ctx.clock.now();
    const rows = await selectRows(tx, uids);
    const own = found(rows, uids);
    showAllStores(tx);
    const batch = await planStaffBatch(tx, ctx.merchant, own, now);
    return describeVoid(tx, { ...batch, blocking: batch.blocking.map(ofOwnStores(ctx.db)) }, uids);
  });
}

export interface StaffVoidResult {
  uid: string;
  status: 'voided' | 'alreadyVoided';
  /** Points of a voided sale or adjustment that were spent and could not be taken back. */
  pointsShortfall: number;
}

/**
 * Voids transactions, all or none, if the effect is still the previewed `effect`. Does nothing to transactions that
 * were voided before. Errors: `transaction_not_found`; `void_refused` with `details.blocking`; `void_changed` if the
 * effect would be another; `confirmation_required`.
 */
export function voidByStaff(ctx: StaffContext, input: StaffVoidInput): Promise<{ results: StaffVoidResult[] }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const now = ctx.clock.now();
    // As the database writes ids.
    const uids = input.uids.map((uid) => uid.toLowerCase());
    const seen = await selectRows(tx, uids);
    // Balances are locked before transactions, as in every other place.
    const [balances, rows] = await Promise.all([lockBalances(tx, holdersOf(seen)), selectRows(tx, uids).for('update')]);
    const own = found(rows, uids);
    const isHeld = (one: string) =>
      balances.some(({ customerId, mergedAt }) => customerId === one && mergedAt === null);
    // A customer was merged into another since.
    if (!holdersOf(own).every(isHeld)) throw changed();
    showAllStores(tx);
    const batch = await planStaffBatch(tx, ctx.merchant, own, now);
    const { live, plan, effects, blocking } = batch;
    if (blocking.length > 0) throw refusalForStaff(ctx, blocking);
    if (live.length > 0) {
      if ((await effectOf(tx, batch)) !== input.effect) throw changed();
      await requireConfirmedFor(tx, ctx, stakeOf(batch));
      const id = newId(now.getTime());
      const { merchant, staff } = ctx;
      const by = { userId: staff.userId };
      const voided = { uids: live.map(({ uid }) => uid), reason: input.reason };
      await Promise.all([
        ...writeVoids(tx, [{ id, by, reason: input.reason, now, live, plan, effects, settings: merchant }]),
        auditStaff(tx, ctx, 'transactions.void', { kind: 'void', id }, { after: voided }),
        ...(['transactions', 'customers', 'campaigns', 'vouchers'] as const).map((topic) => announceChange(tx, topic)),
      ]);
      await sendVoidedBills(tx, merchant, await findBillsOf(tx, voided.uids), now);
    }
    return {
      results: uids.map((uid) => {
        const row = rows.find((one) => one.uid === uid) as VoidRow;
        const pointsShortfall = plan.shortfalls.get(uid) ?? row.pointsShortfall;
        return { uid, status: row.status === 'voided' ? 'alreadyVoided' : 'voided', pointsShortfall };
      }),
    };
  });
}

const noMoney = new Set<VoidRow['type']>(withoutMoney);

/**
 * What customers gain and lose, in all, or what the voided transactions were of if that is more: the void of a sale in cash,
 * or of a top-up and its redemption, changes no balance, but gives a reason to hand out money.
 */
function stakeOf({ live, plan, now }: StaffBatch): { value: number; points: number } {
  let [value, points] = [0, 0];
  for (const change of changesOf(plan, now).values()) {
    value += Math.abs(change.principal + change.bonus);
    points += Math.abs(change.points);
  }
  const money = live.filter(({ type }) => !noMoney.has(type)).reduce((sum, row) => sum + (row.amount ?? 0), 0);
  return { value: Math.max(value, money), points };
}

const selectRows = ({ merchantId, db }: Tx, uids: string[]) =>
  db
    .select(voidRowColumns)
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), anyOf(transactions.uid, uids)))
    .orderBy(transactions.uid);

function found(rows: VoidRow[], uids: string[]): VoidRow[] {
  if (rows.length === uids.length) return rows;
  throw new DomainError('transaction_not_found', say('transactionNotFound'));
}

/**
 * An expiry can't be voided: it follows from its lot's time, and ends when the lot's grant is voided. Neither can value
 * moved by a merge of customers, a merged customer's top-ups and adjustments, nor what a dispute has blocked.
 */
async function planStaffBatch(tx: Tx, merchant: Merchant, rows: VoidRow[], now: Date): Promise<StaffBatch> {
  const live = rows.filter(({ status }) => status !== 'voided');
  const { plan, effects, blocking } = await planBatch(tx, { merchant, rows: live, now });
  const blocks = await findBlocks(tx, live);
  const expiries = live
    .filter(({ type, uid }) => type === 'expiry' || blocks.has(uid))
    .map(({ uid }): Blocking => ({ uid, transactionId: null, code: 'not_voidable', spentBy: [] }));
  const moves = await findMoves(tx, live);
  const merged = live.filter((row) => isMergedCredit(row) || moves.has(row.uid));
  const others = [...blocking, ...expiries].filter(({ uid }) => !merged.some((row) => row.uid === uid));
  return { live, plan, effects, blocking: [...others, ...mergedBlocking(merged)], now };
}

const adjustmentsIn = (rows: VoidRow[]): string[] =>
  rows.filter(({ status, type }) => status === 'completed' && type === 'adjustment').map(({ uid }) => uid);

/** Returns the adjustments by which merges moved value. */
async function findMoves({ merchantId, db }: Tx, rows: VoidRow[]): Promise<Set<string>> {
  const uids = adjustmentsIn(rows);
  if (uids.length === 0) return new Set();
  const { transactionUid } = adjustments;
  const found = await db
    .select({ transactionUid })
    .from(adjustments)
    .where(and(eq(adjustments.merchantId, merchantId), anyOf(transactionUid, uids), isNotNull(adjustments.mergedWith)));
  return new Set(found.map((row) => row.transactionUid));
}

/** Returns the adjustments that took what was left of disputed top-ups. */
async function findBlocks({ merchantId, db }: Tx, rows: VoidRow[]): Promise<Set<string | null>> {
  const uids = adjustmentsIn(rows);
  if (uids.length === 0) return new Set();
  const { blockUid } = cardDisputes;
  const found = await db
    .select({ blockUid })
    .from(cardDisputes)
    .where(and(eq(cardDisputes.merchantId, merchantId), anyOf(blockUid, uids)));
  return new Set(found.map((row) => row.blockUid));
}

/** Hides spenders in stores that the reader does not work for. */
const ofOwnStores =
  (db: Database) =>
  (one: Blocking): Blocking => ({ ...one, spentBy: one.spentBy.filter(({ storeId }) => !isElsewhere(db, storeId)) });

function refusalForStaff({ db }: StaffContext, all: Blocking[]): DomainError {
  const spent = all.flatMap(({ spentBy }) => spentBy).length;
  const blocking = all.map(ofOwnStores(db));
  if (blocking.some(({ code }) => code === 'customer_merged')) {
    return new DomainError('void_refused', say('mergedNotVoidable'), { blocking });
  }
  return new DomainError('void_refused', say(spent > 0 ? 'valueSpent' : 'expiryNotVoidable'), { blocking });
}

function changed(): DomainError {
  return new DomainError('void_changed', say('voidChanged'));
}
