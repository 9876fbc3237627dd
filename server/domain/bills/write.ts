/** Writes bills. Requires their locks. */

import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { billPayments, bills } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { cardStep } from '../kernel/money';
import { say } from '../kernel/say';
import { sendBillEvents } from './bill-events';
import { type BillRow, figuresOfBill, type LoadedBill } from './load';
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

/** Ends a locked bill and returns any overpayment. Changes `bill`, too. A forgotten bill ended at an earlier time. */
export function endBill(
  tx: Tx,
  merchant: Merchant,
  bill: LoadedBill,
  ending: Ending,
  now: Date,
  closedAt: Date = now,
): void {
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
  bill.row = { ...bill.row, state: ending, closedAt, updatedAt: closedAt };
  writeBill(tx, bill, now);
  sendBillEvents(tx, { merchant, bill, now }, ending === 'void' ? 'bill.voided' : 'bill.closed');
}
