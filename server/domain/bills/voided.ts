import { and, asc, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { bills, transactions } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { sendBillEvents } from './bill-events';
import { type BillName, findBill, loadBill } from './load';

const findOpen = prepare((db, given: Given<{ merchantId: string; uids: string[] }>) => {
  const { storeId, billId, state } = bills;
  return db
    .select({ uid: transactions.uid, storeId, billId })
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

/** Returns the open bills of these transactions, each with the transaction's `uid`. */
export const openBillsOf = async ({ merchantId, db }: Tx, uids: string[]): Promise<(BillName & { uid: string })[]> =>
  uids.length === 0 ? [] : findOpen(db, { merchantId, uids });

/** Sends `bill.updated` for each open bill that a void gave value back to. Call it after the void. */
export async function sendVoidedBills(tx: Tx, merchant: Merchant, open: BillName[], now: Date): Promise<void> {
  const names = new Map(open.map(({ storeId, billId }) => [`${storeId} ${billId}`, { storeId, billId }]));
  for (const name of names.values()) {
    // The lock keeps a bill's events in the order of its changes.
    const row = await findBill(tx, name, 'lock');
    if (row?.state !== 'open') continue;
    const bill = await loadBill(tx, row);
    sendBillEvents(tx, { merchant, bill, type: 'bill.updated', wasPaid: true, now });
  }
}
