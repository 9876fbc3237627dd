import { and, asc, eq } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { bills, transactions } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { sendBillEvents } from './bill-events';
import { findBill, loadBill } from './load';

/**
 * Tells of each open bill that voided transactions gave something back to. Call it behind the void, once for all that are
 * voided together: where none is on an open bill, it is one statement.
 */
export async function sendVoidedBills(tx: Tx, merchant: Merchant, uids: string[], now: Date): Promise<void> {
  if (uids.length === 0) return;
  const { storeId, billId, state } = bills;
  const open = await tx.db
    .selectDistinct({ storeId, billId })
    .from(transactions)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, tx.merchantId),
        eq(storeId, transactions.storeId),
        eq(billId, transactions.billId),
        eq(state, 'open').inlineParams(),
      ),
    )
    .where(and(eq(transactions.merchantId, tx.merchantId), anyOf(transactions.uid, uids)))
    .orderBy(asc(storeId), asc(billId));
  for (const name of open) {
    // Bills are locked, so that their events come in the order of what they tell.
    const row = await findBill(tx, name, 'lock');
    if (row?.state !== 'open') continue;
    const bill = await loadBill(tx, row);
    sendBillEvents(tx, { merchant, bill, type: 'bill.updated', wasPaid: true, now });
  }
}
