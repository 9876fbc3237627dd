/** Writes bills. Requires their locks. */

import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { billPayments, bills } from '@/db/schema';
import { auditChange } from '../kernel/audit';
import { cardLimits } from '../kernel/card-currencies';
import type { Merchant } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { sendBillEvents, sendBillUpdate } from './bill-events';
import { type BillRow, type CountableBill, figuresOfBill, findBill, type LoadedBill, loadBill } from './load';
import { queuePointsTakeBack } from './points-due';
import { type BillPayment, forgetPaidAgain, returnExcess } from './rules';
import { isAllSold, isSoldTwice, type SoldBill } from './sold-parts';
import { isForgotten, lastsUntil, sameBillMs } from './window';

export const billClosed = (state: BillRow['state']) => new DomainError('bill_closed', say('billClosed'), { state });

/** Sends a locked bill's row, with the current sums of its payments. */
export function writeBill({ merchantId, db, send }: Tx, bill: LoadedBill, now: Date): void {
  const { id, storeId, billId, countsFrom, salesFrom, createdAt, ...row } = bill.row;
  const { held, paid, payable } = figuresOfBill(bill, now);
  const heldAmount = row.state === 'open' ? held : 0;
  const limitAmount = Math.max(payable, heldAmount + paid);
  send(
    db
      .update(bills)
      .set({ ...row, heldAmount, paidAmount: paid, limitAmount })
      .where(and(eq(bills.merchantId, merchantId), eq(bills.id, id))),
  );
}

/** Recorded for a bill that has ended with more paid on it than could be returned. Home lists these bills. */
export const overpaidAction = 'bill.overpaid';
const byService = { kind: 'service', id: null } as const;

/**
 * Returns what stays overpaid after a sale. What goes back to diners' cards when the bill is closed, now or later, is subtracted.
 * Nothing goes back on a bill that was closed before.
 */
export function overpaidAfter(
  bill: LoadedBill,
  part: SoldBill['sold'][number],
  closesBill: boolean | undefined,
  now: Date,
): number {
  const after = { ...bill, sold: [...bill.sold, part] };
  if (bill.row.state !== 'open') return figuresOfBill(after, now).overpaid;
  const closes = closesBill ?? isSettled(after, now);
  const row = closes ? { ...bill.row, state: 'closed' as const, closedAt: now, closedBy: part.uid } : bill.row;
  const { overpaid, returnable, paid } = figuresOfBill({ ...after, row }, now);
  return overpaid - Math.min(returnable, paid);
}

/** True if a further sale has goods that were sold before. Nothing is to be sold on a voided bill. */
export const isSoldAgain = ({ row, sold }: LoadedBill, part: { subtotal: number }): boolean =>
  isSoldTwice(sold, part, row.state === 'void' ? 0 : row.subtotal);

/** True if nothing is due, or if all goods are sold: then what is missing was given away by the till. */
export const isSettled = (bill: CountableBill, now: Date): boolean =>
  isAllSold(bill.sold, bill.row.subtotal) || figuresOfBill(bill, now).due === 0;

export type Ending = 'closed' | 'void';

interface End {
  ending: Ending;
  /** The sale that closes it. */
  closedBy?: string;
  /** A forgotten bill ended at an earlier time. */
  closedAt?: Date;
}

/** Ends a locked bill and returns any overpayment. Changes `bill`, too. */
export function endBill(
  tx: Tx,
  merchant: Merchant,
  bill: LoadedBill,
  { ending, closedBy, closedAt }: End,
  now: Date,
): void {
  // Another process may have recorded a redemption while this one waited: it is on the bill, too.
  const recorded = bill.redemptions.map(({ createdAt }) => createdAt.getTime());
  const endedAt = closedAt ?? new Date(Math.max(now.getTime(), ...recorded));
  const { returnable } = figuresOfBill(bill, now);
  const kept = returnExcess(bill.payments, returnable, cardLimits(merchant.currency).step);
  const paidAgain = forgetPaidAgain({ ...bill.row, ...bill }, now);
  const changeOf = (changes: Partial<BillPayment>[], { id }: BillPayment) => {
    const { id: _, ...change } = changes.find((one) => one.id === id) ?? {};
    return change;
  };
  for (const payment of bill.payments) {
    const less = { ...changeOf(kept, payment), ...changeOf(paidAgain, payment) };
    const change = payment.state === 'held' ? { state: 'released' as const } : less;
    if (Object.keys(change).length === 0) continue;
    Object.assign(payment, change);
    tx.send(
      tx.db
        .update(billPayments)
        .set(change)
        .where(and(eq(billPayments.merchantId, tx.merchantId), eq(billPayments.id, payment.id))),
    );
  }
  bill.row = {
    ...bill.row,
    state: ending,
    closedAt: endedAt,
    closedBy: closedBy ?? null,
    settlingUntil: null,
    // A bill that was forgotten was last sent before: its number is free at once.
    updatedAt: closedAt === undefined ? endedAt : bill.row.updatedAt,
  };
  writeBill(tx, bill, now);
  noteOverpaid(tx, bill, now);
  queuePointsTakeBack(tx, bill);
  sendBillEvents(tx, { merchant, bill, now }, ending === 'void' ? 'bill.voided' : 'bill.closed');
}

/**
 * Closes a locked bill that its till has forgotten, as of then, before anything else is done with it. Changes `bill`, too.
 * `now` is later than the lock.
 */
export async function closeForgotten(tx: Tx, merchant: Merchant, bill: LoadedBill, now: Date): Promise<void> {
  if (!isForgotten(bill.row, now)) return;
  endBill(tx, merchant, bill, { ending: 'closed', closedAt: lastsUntil(bill.row) }, now);
  const after = { total: bill.row.total };
  await auditChange(tx, byService, 'bill.close', { kind: 'bill', id: bill.row.id }, now, { after });
}

/** Records that too much was redeemed and paid on a bill that has ended, for *Needs attention*. */
export function noteOverpaid(tx: Tx, bill: LoadedBill, now: Date): void {
  const { overpaid: amount } = figuresOfBill(bill, now);
  if (bill.row.state === 'open' || amount === 0) return;
  const after = { amount };
  tx.send(auditChange(tx, byService, overpaidAction, { kind: 'bill', id: bill.row.id }, now, { after }));
}

/**
 * Opens a closed bill again, with its redemptions, payments and sales. Requires its lock. Returns null if its number has
 * begun another bill, or may have: after twelve hours. `reopenedAt` is by the clock of the till that opens it, with which it
 * says later when it closes.
 */
export async function openAgain(
  tx: Tx,
  merchant: Merchant,
  closed: BillRow,
  now: Date,
  reopenedAt = now,
): Promise<LoadedBill | null> {
  if (closed.closedAt === null || now.getTime() >= closed.closedAt.getTime() + sameBillMs) return null;
  const latest = await findBill(tx, closed, 'read');
  if (latest?.id !== closed.id) return null;
  const bill = await loadBill(tx, {
    ...closed,
    state: 'open',
    closedAt: null,
    closedBy: null,
    reopenedAt,
    updatedAt: now,
  });
  writeBill(tx, bill, now);
  sendBillUpdate(tx, { merchant, bill, wasPaid: false, now });
  return bill;
}
