import { type Tx, withMerchant } from '@/db/driver';
import type { Merchant, PosContext } from '../kernel/context';
import { requestedStore } from '../merchants';
import { describeBill } from './describe';
import { type BillName, billNotFound, figuresOfBill, findBillAt, findBillByUid, loadBill, requireBill } from './load';
import type { Bill, GetBillInput } from './schemas';
import { isOnBill, type Moment } from './window';

/** Returns a bill with what was redeemed and paid on it. Errors: `bill_not_found`, `store_forbidden`, `store_not_found`. */
export async function getBill(ctx: PosContext, { billId, storeCode }: GetBillInput): Promise<Bill> {
  const store = await requestedStore(ctx, storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const bill = await loadBill(tx, await requireBill(tx, { storeId: store.id, billId }, 'read'));
    return describeBill(bill, ctx.merchant.currency, ctx.clock.now());
  });
}

/** Reads a bill by our own id; null if unknown. */
export async function readBill(tx: Tx, { currency }: Merchant, billUid: string, now: Date): Promise<Bill | null> {
  const row = await findBillByUid(tx, billUid);
  return row && describeBill(await loadBill(tx, row), currency, now);
}

/** Returns our id of the bill that a transaction was on by its number and time; null if no till has sent that bill. */
export async function findBillUidAt(tx: Tx, name: BillName, moment: Moment): Promise<string | null> {
  const row = await findBillAt(tx, name, moment);
  return row && isOnBill(row, moment) ? row.id : null;
}

/** Names the bill that had a store's bill number between two moments. */
export interface BillAt extends BillName {
  from: Date;
  until: Date;
}

/**
 * Returns a text that identifies the bill's current state and changes with each change, redemption or payment. Errors:
 * `bill_not_found`, also if the number belongs to another bill by now.
 */
export async function versionOfBill(tx: Tx, { from, until, ...name }: BillAt, now: Date): Promise<string> {
  const bill = await loadBill(tx, await requireBill(tx, name, 'read'));
  const { id, createdAt, closedAt, revision } = bill.row;
  if (createdAt > until || (closedAt !== null && closedAt < from)) throw billNotFound();
  const { redeemed, paid } = figuresOfBill(bill, now);
  return [id, revision, redeemed, paid].join(' ');
}
