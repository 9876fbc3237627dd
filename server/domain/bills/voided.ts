import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { transactions } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { sendBillEvents } from './bill-events';
import { findBill, loadBill } from './load';

/** Tells of each open bill that voided transactions gave something back to. Call it behind the void. */
export async function sendVoidedBills(tx: Tx, merchant: Merchant, uids: string[], now: Date): Promise<void> {
  if (uids.length === 0) return;
  const { storeId, billId, uid } = transactions;
  const named = await tx.db
    .selectDistinct({ storeId, billId })
    .from(transactions)
    .where(and(eq(transactions.merchantId, tx.merchantId), anyOf(uid, uids), isNotNull(billId)))
    .orderBy(asc(storeId), asc(billId));
  for (const name of named) {
    // Bills are locked, so that their events come in the order of what they tell.
    const row = await findBill(tx, { storeId: name.storeId as string, billId: name.billId as string }, 'lock');
    if (row?.state !== 'open') continue;
    const bill = await loadBill(tx, row);
    sendBillEvents(tx, { merchant, bill, type: 'bill.updated', wasPaid: true, now });
  }
}
