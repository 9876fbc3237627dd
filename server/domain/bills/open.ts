import type { Tx } from '@/db/driver';
import { type BillName, figuresOfBill, type LoadedBill, lastsUntil, loadBill, requireBill } from './load';
import type { Redemption } from './rules';
import { billClosed } from './write';

/** True if it can be redeemed and paid on. A bill that its till has forgotten can't. */
export const isBillOpen = ({ row }: LoadedBill, now: Date): boolean => row.state === 'open' && now < lastsUntil(row);

/** Finds an open bill with its redemptions and payments. Errors: `bill_not_found`, `bill_closed`. */
export async function requireOpenBill(tx: Tx, name: BillName, mode: 'read' | 'lock', now: Date): Promise<LoadedBill> {
  const bill = await loadBill(tx, await requireBill(tx, name, mode));
  if (!isBillOpen(bill, now)) throw billClosed(bill.row.state === 'void' ? 'void' : 'closed');
  return bill;
}

/**
 * True if a diner may take back a redemption by phone. Once nothing is due or the till's discount includes it, only
 * staff can.
 */
export const canTakeBack = (bill: LoadedBill, { isInDiscount, isVoided }: Redemption, now: Date): boolean =>
  !isInDiscount && !isVoided && !figuresOfBill(bill, now).isPaid;
