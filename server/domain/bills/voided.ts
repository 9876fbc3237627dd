import { and, asc, eq, or } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { bills, transactions } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { sendBillEvents } from './bill-events';
import { type BillName, findBill, loadBill } from './load';
import { openAgain } from './write';

const findNamedByTransactions = prepare((db, given: Given<{ merchantId: string; uids: string[] }>) => {
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
        or(eq(state, 'open').inlineParams(), eq(bills.closedBy, transactions.uid)),
      ),
    )
    .where(and(eq(transactions.merchantId, given.merchantId), anyOf(transactions.uid, given.uids)))
    .orderBy(asc(storeId), asc(billId));
});

type BillOf = BillName & { uid: string };

/** Returns the bills of these transactions that are open or were closed by one of them, each with its `uid`. */
export const findBillsOf = async ({ merchantId, db }: Tx, uids: string[]): Promise<BillOf[]> =>
  uids.length === 0 ? [] : findNamedByTransactions(db, { merchantId, uids });

/**
 * Sends `bill.updated` for each open bill that a void gave value back to, and opens those again that a voided sale had
 * closed less than twelve hours ago. Call it after the void.
 */
export async function sendVoidedBills(tx: Tx, merchant: Merchant, changed: BillOf[], now: Date): Promise<void> {
  const voided = new Set(changed.map(({ uid }) => uid));
  const names = new Map(changed.map(({ storeId, billId }) => [`${storeId} ${billId}`, { storeId, billId }]));
  for (const name of names.values()) {
    // The lock keeps a bill's events in the order of its changes.
    const row = await findBill(tx, name, 'lock');
    if (row?.closedBy && voided.has(row.closedBy)) await openAgain(tx, merchant, row, now);
    if (row?.state !== 'open') continue;
    const bill = await loadBill(tx, row);
    sendBillEvents(tx, { merchant, bill, now }, 'bill.updated');
  }
}
