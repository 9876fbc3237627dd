/**
 * The bill that a transaction names by `billId`. Its row is locked until the transaction commits, so redemptions and
 * diners' payments together never exceed what is due, and nothing is redeemed on a bill that has ended.
 */

import { and, eq, gt, or } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { bills } from '@/db/schema';
import {
  type BillName,
  type BillRow,
  billClosed,
  checkAvailable,
  checkExpectedDue,
  checkNotSettling,
  closeForgotten,
  endBill,
  figuresOfBill,
  isOnBill,
  isSettled,
  type LoadedBill,
  loadBill,
  lockBillAt,
  type Moment,
  noteOverpaid,
  type RedemptionType,
  releaseExcessHolds,
  sameBillMs,
  sendBillUpdate,
} from '../bills';
import type { Merchant } from '../kernel/context';
import { Locked, type OnLocked } from '../ledger';
import type { Attempt, Decision, Done, OnBill } from './kind';

/** The bill that a transaction counts on. It may have ended if the transaction arrives late. */
interface CountedBill {
  loaded: LoadedBill;
  /** True if nothing was due before. */
  wasPaid: boolean;
  isChanged: boolean;
  /** The sale that closes it. */
  closedBy: string | null;
}

/** By the transaction that names it. `not loaded`: the transaction has to run by itself and wait for the bill's lock. */
export type NamedBills = Map<Attempt, CountedBill | 'not loaded'>;

const keyOf = ({ storeId, billId }: BillName) => `${storeId} ${billId}`;

const nameOf = ({ storeId, input: { billId } }: Attempt): BillName | null =>
  storeId === null || billId === undefined ? null : { storeId, billId };

const findKnown = prepare(
  (db, given: Given<{ merchantId: string; named: BillName[]; billIds: string[]; endedSince: Date }>) => {
    const { storeId, billId, state, closedAt } = bills;
    const { $rows, ...named } = recordset('named', { storeId, billId }, given.named);
    return db
      .selectDistinct({ storeId, billId })
      .from($rows)
      .innerJoin(
        bills,
        and(
          eq(bills.merchantId, given.merchantId),
          anyOf(billId, given.billIds),
          eq(storeId, named.storeId),
          eq(billId, named.billId),
          or(eq(state, 'open').inlineParams(), gt(closedAt, given.endedSince)),
        ),
      );
  },
);

/**
 * Finds the bills that transactions name: of bills with one number, the one of the transaction's time. In a group, they are
 * only detected, and their transactions then run by themselves. There, bills are locked after the customers and in order, so
 * that no two transactions deadlock.
 */
export async function lockNamedBills(
  tx: Tx,
  onBill: OnBill<never, never>,
  attempts: Attempt[],
  onLocked: OnLocked,
): Promise<NamedBills> {
  const found: NamedBills = new Map();
  if (onBill === 'nothing') return found;
  const naming = attempts.flatMap((attempt) => {
    const name = nameOf(attempt);
    return name ? [{ attempt, name, order: `${keyOf(name)} ${attempt.occurredAt.toISOString()}` }] : [];
  });
  if (naming.length === 0) return found;
  if (onLocked === 'skip') {
    const named = [...new Map(naming.map(({ name }) => [keyOf(name), name])).values()];
    const billIds = named.map(({ billId }) => billId);
    const earliest = Math.min(...attempts.map(({ occurredAt }) => occurredAt.getTime()));
    const endedSince = new Date(earliest - sameBillMs);
    const known = await findKnown(tx.db, { merchantId: tx.merchantId, named, billIds, endedSince });
    const keys = new Set(known.map(keyOf));
    for (const { attempt, name } of naming) if (keys.has(keyOf(name))) found.set(attempt, 'not loaded');
    return found;
  }
  const locked = new Map<string, CountedBill>();
  const latest = new Date(Math.max(...attempts.map(({ now }) => now.getTime())));
  for (const { attempt, name } of naming.sort((a, b) => (a.order < b.order ? -1 : 1))) {
    const row = await lockBillAt(tx, name, momentOf(onBill, attempt));
    if (!row) continue;
    const bill = locked.get(row.id) ?? (await toNamed(tx, attempt.ctx.merchant, row, latest));
    locked.set(row.id, bill);
    found.set(attempt, bill);
  }
  return found;
}

const momentOf = (onBill: OnBill<never, never>, { occurredAt }: Attempt): Moment => ({
  at: occurredAt,
  of: isRedemption(onBill) ? 'redemption' : 'sale',
});

async function toNamed(tx: Tx, merchant: Merchant, row: BillRow, now: Date): Promise<CountedBill> {
  const loaded = await loadBill(tx, row);
  await closeForgotten(tx, merchant, loaded, now);
  return { loaded, wasPaid: figuresOfBill(loaded, now).isPaid, isChanged: false, closedBy: null };
}

/**
 * Returns the bill on which a transaction counts, or null. Errors: `Locked` if the bill was not loaded, `bill_closed` for a
 * redemption after the end of its bill.
 */
export function billOf(found: NamedBills, onBill: OnBill<never, never>, attempt: Attempt): CountedBill | null {
  const bill = found.get(attempt);
  if (bill === 'not loaded') throw new Locked();
  if (!bill) return null;
  const { occurredAt, ctx, input } = attempt;
  // Without a time, it happens now, also if it waited for the bill's lock.
  const isNow = input.occurredAt === undefined;
  const { row } = bill.loaded;
  const { state, closedAt: endedAt } = row;
  if (endedAt && isRedemption(onBill)) {
    // Later, the number belongs to another bill. A phone's redemption is never late.
    const isSameNumber = occurredAt.getTime() < endedAt.getTime() + sameBillMs;
    if ((isSameNumber && (isNow || occurredAt >= endedAt)) || ctx.apiKeyId === null) throw billClosed(state);
  }
  // The number may belong to another bill, of an earlier day or from after this bill was forgotten.
  return isOnBill(row, momentOf(onBill, attempt)) ? bill : null;
}

const isRedemption = <Answer extends object>(
  onBill: OnBill<never, Answer>,
): onBill is Extract<OnBill<never, Answer>, { redeems: unknown }> => typeof onBill === 'object' && 'redeems' in onBill;

/**
 * Errors: `bill_due_exceeded` for a redemption of more than is due on its open bill (by a phone: and that no other phone
 * holds), `bill_closed` and
 * `bill_settling` for a phone's redemption on a bill that is not open or that its till is settling, `bill_changed` for a sale that expects another sum to be due.
 */
export function checkOnBill<A extends Attempt, Answer extends object>(
  bill: CountedBill | null,
  onBill: OnBill<A, Answer>,
  attempt: A,
  decision: Decision<Answer>,
): void {
  if (onBill === 'nothing') return;
  const { ctx, now } = attempt;
  if ('sells' in onBill) {
    // Of a closed bill, what its sales have not settled: two cashiers may take money for one bill.
    if (bill) checkExpectedDue(bill.loaded, ctx.merchant, onBill.sells(attempt).expectedDue, now);
    return;
  }
  // A diner's phone has no key.
  const isByDiner = ctx.apiKeyId === null;
  if (isByDiner && !bill) throw billClosed('closed');
  if (isByDiner && bill) checkNotSettling(bill.loaded, now);
  // What was redeemed before the closing has happened: if it is too much, the bill says so.
  if (bill && isOpen(bill)) checkAvailable(bill.loaded, ctx.merchant, onBill.redeems(decision), now, !isByDiner);
}

const isOpen = ({ loaded }: CountedBill) => loaded.row.state === 'open';

/** Counts a redemption or a sale on its bill, so that later ones see it. */
export function countOnBill<A extends Attempt, Answer extends object>(
  bill: CountedBill | null,
  onBill: OnBill<A, Answer>,
  attempt: A,
  decision: Decision<Answer>,
): void {
  if (onBill === 'nothing' || !bill) return;
  const { ctx, uid, type, customerId, occurredAt, now } = attempt;
  const { transactionId } = attempt.input;
  const { loaded } = bill;
  bill.isChanged = true;
  if ('sells' in onBill) {
    const { closesBill, expectedDue: _, ...part } = onBill.sells(attempt);
    const pointsEarned = (decision.lots ?? []).reduce((sum, { amount }) => sum + amount, 0);
    const points = { pointsEarned, pointsTaken: 0, refunded: 0 };
    loaded.sold.push({ uid, transactionId, customerId, createdAt: now, ...part, ...points });
    if (isOpen(bill) && (closesBill ?? isSettled(loaded, now))) bill.closedBy = uid;
    return;
  }
  loaded.redemptions.push({
    transactionId,
    type: type as RedemptionType,
    customerId: customerId as string,
    amount: onBill.redeems(decision),
    isInDiscount: false,
    isVoided: false,
    isByDiner: ctx.apiKeyId === null,
    occurredAt,
    createdAt: now,
    terms: decision.terms ?? null,
  });
}

/**
 * Writes and announces what transactions changed on their bills: closes those that a sale settles. Of a closed bill, what
 * came late and was paid twice is for staff: its diners' cards may have been charged rightly.
 */
export function sendNamedBills(tx: Tx, found: NamedBills, [first]: Done<Attempt, object>[]): void {
  if (!first) return;
  const { ctx, now } = first.attempt;
  const { merchant } = ctx;
  for (const bill of new Set(found.values())) {
    if (bill === 'not loaded' || !bill.isChanged) continue;
    const { loaded, wasPaid, closedBy } = bill;
    if (closedBy !== null) endBill(tx, merchant, loaded, { ending: 'closed', closedBy }, now);
    else {
      releaseExcessHolds(tx, loaded, now);
      noteOverpaid(tx, loaded, now);
      sendBillUpdate(tx, { merchant, bill: loaded, wasPaid, now });
    }
  }
}
