/** The bills that are open now, with what is due on each. */

import { and, desc, eq, getTableName } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { bills, stores } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { billColumns, figuresOfBill, loadBills } from './load';
import { isForgotten } from './window';

/** More than a store has open at one time. Bills that a till never closes are older. */
const maxOpenInStore = 500;

export interface OpenBill {
  billUid: string;
  billId: string;
  /** The table that the till named. */
  table: string | null;
  openedAt: Date;
  total: number;
  due: number;
  /** True once nothing is due and something was paid or redeemed. */
  isPaid: boolean;
}

/** Reads a store's open bills, or those of all stores, without those that their tills have forgotten. */
export async function readOpenBills(tx: Tx, storeId: string | undefined, now: Date): Promise<OpenBill[]> {
  const { merchantId, db } = tx;
  const ofStore = db
    .select(billColumns)
    .from(bills)
    .where(
      and(
        eq(bills.merchantId, stores.merchantId),
        eq(bills.storeId, stores.id),
        eq(bills.state, 'open').inlineParams(),
      ),
    )
    .orderBy(desc(bills.id))
    .limit(maxOpenInStore)
    .as(getTableName(bills));
  const rows = await db
    .select(ofStore._.selectedFields)
    .from(stores)
    .crossJoinLateral(ofStore)
    .where(and(eq(stores.merchantId, merchantId), storeId === undefined ? undefined : eq(stores.id, storeId)))
    .orderBy(ofStore.id);
  const loaded = await loadBills(
    tx,
    rows.filter((row) => !isForgotten(row, now)),
  );
  return loaded.map((bill) => {
    const { id: billUid, billId, table, createdAt: openedAt, total } = bill.row;
    const { due, isPaid } = figuresOfBill(bill, now);
    return { billUid, billId, table, openedAt, total, due, isPaid };
  });
}

/** Counts the open bills of the reader's stores, and sums what is due on them, in minor units. */
export function sumOpenBills({ db, merchant, clock }: StaffContext): Promise<{ count: number; due: number }> {
  return withMerchant(db, merchant.id, async (tx) => {
    const open = await readOpenBills(tx, undefined, clock.now());
    return { count: open.length, due: open.reduce((sum, { due }) => sum + due, 0) };
  });
}
