/**
 * The open bill that a transaction names by `billId`. Its row is locked until the transaction commits, so redemptions and
 * diners' payments together never exceed what is due.
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
  sendBillUpdate,
} from '../bills';
import { Locked, type OnLocked } from '../ledger';
import type { Attempt, Decision, Done, OnBill } from './kind';

interface OpenBill {
  loaded: LoadedBill;
  /** True if nothing was due before. */
  wasPaid: boolean;
  isChanged: boolean;
}

/** By store and number. `not loaded`: the transaction has to run by itself and wait for the bill's lock. */
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
 * Finds the open bills that transactions name. In a group, they are only detected, and their transactions then run by
 * themselves. There, bills are locked after the customers and in order, so that no two transactions deadlock.
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

/** Returns the open bill of a transaction, or null. Errors: `Locked` if the bill was not loaded. */
export function openBillOf(open: OpenBills, attempt: Attempt): OpenBill | null {
  const name = nameOf(attempt);
  const bill = name === null ? undefined : open.get(keyOf(name));
  if (bill === 'not loaded') throw new Locked();
  // The number may belong to another bill, of an earlier day or from after this bill was forgotten.
  return bill && isOnBill(bill.loaded.row, attempt.occurredAt) ? bill : null;
}

/**
 * Errors: `bill_due_exceeded` for a redemption of more than is due on its open bill, `bill_closed` for a phone's
 * redemption on a bill that is not open.
 */
export function checkOnBill<Answer extends object>(
  bill: OpenBill | null,
  onBill: OnBill<Answer>,
  { ctx, now }: Attempt,
  decision: Decision<Answer>,
): void {
  if (typeof onBill !== 'function') return;
  if (bill) checkAvailable(bill.loaded, ctx.merchant, onBill(decision), now);
  // A diner's phone, which has no key, can redeem on open bills only.
  else if (ctx.apiKeyId === null) throw billClosed('closed');
}

/** Counts a redemption on its open bill, so that later ones see it. */
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

/** Closes the open bills that sales settle, and sends the events of bills with counted redemptions. */
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
    sendBillUpdate(tx, { merchant: ctx.merchant, bill: loaded, wasPaid, now });
  }
}
