import { and, asc, eq } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { type Given, prepare } from '@/db/queries';
import { bills, transactions } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { sendBillEvents } from './bill-events';
import { findBill, loadBill } from './load';

const findOpen = prepare((db, given: Given<{ merchantId: string; uids: string[] }>) => {
  const { storeId, billId, state } = bills;
  return db
    .selectDistinct({ storeId, billId })
    .from(transactions)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        eq(storeId, transactions.storeId),
        eq(billId, transactions.billId),
        eq(state, 'open').inlineParams(),
      ),
    )
    .where(and(eq(transactions.merchantId, given.merchantId), anyOf(transactions.uid, given.uids)))
    .orderBy(asc(storeId), asc(billId));
});

/**
 * Tells of each open bill that voided transactions gave something back to. Call it behind the void, once for all that are
 * voided together: where none is on an open bill, it is one statement.
 */
export async function sendVoidedBills(tx: Tx, merchant: Merchant, uids: string[], now: Date): Promise<void> {
  if (uids.length === 0) return;
  for (const name of await findOpen(tx.db, { merchantId: tx.merchantId, uids })) {
    // Bills are locked, so that their events come in the order of what they tell.
    const row = await findBill(tx, name, 'lock');
    if (row?.state !== 'open') continue;
    const bill = await loadBill(tx, row);
    sendBillEvents(tx, { merchant, bill, type: 'bill.updated', wasPaid: true, now });
  }
}
