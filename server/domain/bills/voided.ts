import { and, asc, eq, gt } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { bills, transactions } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { sendBillEvents } from './bill-events';
import { type BillName, type BillRow, loadBill, lockBillAt } from './load';
import { isAllSold } from './sold-parts';
import { isOnBill, type Moment } from './window';
import { openAgain, writeBill } from './write';

const findNamedByTransactions = prepare((db, given: Given<{ merchantId: string; uids: string[] }>) => {
  const { storeId, billId, countsFrom } = bills;
  const { uid, type, occurredAt } = transactions;
  return db
    .selectDistinct({ uid, type, occurredAt, storeId, billId })
    .from(transactions)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        eq(storeId, transactions.storeId),
        eq(billId, transactions.billId),
        gt(occurredAt, countsFrom),
      ),
    )
    .where(and(eq(transactions.merchantId, given.merchantId), anyOf(uid, given.uids)))
    .orderBy(asc(storeId), asc(billId), asc(occurredAt), asc(uid));
});

type BillOf = BillName & { uid: string; type: string | null; occurredAt: Date };

/** Returns the bills that these transactions may be on, each with its transaction. */
export const findBillsOf = async ({ merchantId, db }: Tx, uids: string[]): Promise<BillOf[]> =>
  uids.length === 0 ? [] : findNamedByTransactions(db, { merchantId, uids });

/**
 * Sends `bill.updated` for each bill that a void gave value back to, and opens those again that a voided sale had closed
 * less than twelve hours ago. Call it after the void.
 */
export async function sendVoidedBills(tx: Tx, merchant: Merchant, changed: BillOf[], now: Date): Promise<void> {
  const voided = new Set(changed.map(({ uid }) => uid));
  const rows = new Map<string, BillRow>();
  for (const one of changed) {
    // The lock keeps a bill's events in the order of its changes.
    const moment: Moment = { at: one.occurredAt, of: one.type === 'sale' ? 'sale' : 'redemption' };
    const row = await lockBillAt(tx, one, moment);
    if (row && isOnBill(row, moment)) rows.set(row.id, row);
  }
  for (const row of rows.values()) {
    const bill = await loadBill(tx, row);
    if (row.closedBy && voided.has(row.closedBy)) {
      if (isAllSold(bill.sold, row.subtotal)) {
        // It was sold twice: a sale is left that has all of it.
        bill.row = { ...row, closedBy: bill.sold.at(-1)?.uid ?? null };
        writeBill(tx, bill, now);
      } else if (await openAgain(tx, merchant, row, now)) continue;
    }
    sendBillEvents(tx, { merchant, bill, now }, 'bill.updated');
  }
}
