/** Writes bills. Requires their locks. */

import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { billPayments, bills } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { cardStep } from '../kernel/money';
import { say } from '../kernel/say';
import { sendBillEvents, sendBillUpdate } from './bill-events';
import { type BillRow, figuresOfBill, findBill, type LoadedBill, loadBill } from './load';
import { returnExcess } from './rules';

export const billClosed = (state: BillRow['state']) => new DomainError('bill_closed', say('billClosed'), { state });

/** Sends a locked bill's row, with the current sums of its payments. */
export function writeBill({ merchantId, db, send }: Tx, bill: LoadedBill, now: Date): void {
  const { id, storeId, billId, countsFrom, createdAt, ...row } = bill.row;
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
  const endedAt = closedAt ?? now;
  const { overpaid } = figuresOfBill(bill, now);
  const kept = returnExcess(bill.payments, overpaid, cardStep(merchant.currency));
  for (const payment of bill.payments) {
    const { id, ...less } = kept.find(({ id }) => id === payment.id) ?? {};
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
  bill.row = { ...bill.row, state: ending, closedAt: endedAt, closedBy: closedBy ?? null, updatedAt: endedAt };
  writeBill(tx, bill, now);
  sendBillEvents(tx, { merchant, bill, now }, ending === 'void' ? 'bill.voided' : 'bill.closed');
}

/**
 * Opens a closed bill again, with its redemptions, payments and sales. Requires its lock. Returns null if its number has
 * begun another bill.
 */
export async function openAgain(tx: Tx, merchant: Merchant, closed: BillRow, now: Date): Promise<LoadedBill | null> {
  const latest = await findBill(tx, closed, 'read');
  if (latest?.id !== closed.id) return null;
  const bill = await loadBill(tx, { ...closed, state: 'open', closedAt: null, closedBy: null, updatedAt: now });
  writeBill(tx, bill, now);
  sendBillUpdate(tx, { merchant, bill, wasPaid: false, now });
  return bill;
}
