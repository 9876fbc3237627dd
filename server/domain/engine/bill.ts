/**
 * The open bill that a transaction names by `billId`. Its row is locked until the transaction commits, so what is redeemed
 * and what diners pay on their phones never exceed what is due together.
 */

import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { bills } from '@/db/schema';
import {
  type BillName,
  billClosed,
  checkAvailable,
  endBill,
  figuresOfBill,
  findBill,
  isOnBill,
  type LoadedBill,
  loadBill,
  type RedemptionType,
  sendBillEvents,
} from '../bills';
import { Locked, type OnLocked } from '../ledger';
import type { Attempt, Decision, Done, OnBill } from './kind';

interface OpenBill {
  loaded: LoadedBill;
  /** Whether nothing was due before. */
  wasPaid: boolean;
  isChanged: boolean;
}

/** By store and number. Not loaded where the transaction has to run by itself, to wait for the lock. */
export type OpenBills = Map<string, OpenBill | 'not loaded'>;

const keyOf = ({ storeId, billId }: BillName) => `${storeId} ${billId}`;

const nameOf = ({ storeId, input: { billId } }: Attempt): BillName | null =>
  storeId === null || billId === undefined ? null : { storeId, billId };

const findNamesOfOpen = prepare((db, given: Given<{ merchantId: string; named: BillName[]; billIds: string[] }>) => {
  const { storeId, billId, state } = bills;
  const { $rows, ...named } = recordset('named', { storeId, billId }, given.named);
  return db
    .select({ storeId, billId })
    .from($rows)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        anyOf(billId, given.billIds),
        eq(storeId, named.storeId),
        eq(billId, named.billId),
        eq(state, 'open').inlineParams(),
      ),
    );
});

/**
 * Finds the open bills that transactions name. Those of a group only learn that there is one, and then run by themselves:
 * then bills are locked, behind the customers, and in order, so that none wait for each other in a circle.
 */
export async function lockOpenBills(
  tx: Tx,
  onBill: OnBill<never>,
  attempts: Attempt[],
  onLocked: OnLocked,
): Promise<OpenBills> {
  const open: OpenBills = new Map();
  if (onBill === 'nothing') return open;
  const names = new Map(attempts.flatMap((one) => nameOf(one) ?? []).map((name) => [keyOf(name), name]));
  if (names.size === 0) return open;
  if (onLocked === 'skip') {
    const named = [...names.values()];
    const billIds = named.map(({ billId }) => billId);
    const found = await findNamesOfOpen(tx.db, { merchantId: tx.merchantId, named, billIds });
    for (const name of found) open.set(keyOf(name), 'not loaded');
    return open;
  }
  const latest = new Date(Math.max(...attempts.map(({ now }) => now.getTime())));
  for (const key of [...names.keys()].sort()) {
    const row = await findBill(tx, names.get(key) as BillName, 'lock');
    if (row?.state !== 'open') continue;
    const loaded = await loadBill(tx, row);
    open.set(key, { loaded, wasPaid: figuresOfBill(loaded, latest).isPaid, isChanged: false });
  }
  return open;
}

/** Returns the open bill that a transaction is on, or null. Errors: `Locked` where it was not loaded. */
export function openBillOf(open: OpenBills, attempt: Attempt): OpenBill | null {
  const name = nameOf(attempt);
  const bill = name === null ? undefined : open.get(keyOf(name));
  if (bill === 'not loaded') throw new Locked();
  // The number may be another bill's, of an earlier day or after this one was forgotten.
  return bill && isOnBill(bill.loaded.row, attempt.occurredAt) ? bill : null;
}

/**
 * Errors: `bill_due_exceeded` for a redemption of more than its open bill still needs, `bill_closed` for one on a phone if
 * the bill is not open.
 */
export function checkOnBill<Answer extends object>(
  bill: OpenBill | null,
  onBill: OnBill<Answer>,
  { ctx, now }: Attempt,
  decision: Decision<Answer>,
): void {
  if (typeof onBill !== 'function') return;
  if (bill) checkAvailable(bill.loaded, ctx.merchant, onBill(decision), now);
  else if (ctx.apiKeyId === null) throw billClosed('closed');
}

/** Counts a redemption on its open bill: the next ones see it. */
export function countOnBill<Answer extends object>(
  bill: OpenBill | null,
  onBill: OnBill<Answer>,
  { ctx, type, input, customerId, occurredAt }: Attempt,
  decision: Decision<Answer>,
): void {
  if (typeof onBill !== 'function' || !bill) return;
  bill.loaded.redemptions.push({
    transactionId: input.transactionId,
    type: type as RedemptionType,
    customerId: customerId as string,
    amount: onBill(decision),
    isInDiscount: false,
    isVoided: false,
    isByDiner: ctx.apiKeyId === null,
    occurredAt,
  });
  bill.isChanged = true;
}

/** Closes the open bills that sales settle, and sends the events of those that redemptions were counted on. */
export function sendOpenBills(tx: Tx, open: OpenBills, onBill: OnBill<never>, done: Done<Attempt, object>[]): void {
  if (onBill === 'closes') {
    for (const { attempt } of done) {
      const bill = openBillOf(open, attempt);
      if (bill?.loaded.row.state === 'open') endBill(tx, attempt.ctx.merchant, bill.loaded, 'closed', attempt.now);
    }
  }
  const [first] = done;
  if (!first) return;
  const { ctx, now } = first.attempt;
  for (const bill of open.values()) {
    if (bill === 'not loaded' || !bill.isChanged) continue;
    const { loaded, wasPaid } = bill;
    sendBillEvents(tx, { merchant: ctx.merchant, bill: loaded, type: 'bill.updated', wasPaid, now });
  }
}
