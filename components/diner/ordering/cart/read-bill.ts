import { type SavedBill, savedBills } from './keep-bill';

/** Returns what this phone kept of a table's orders; null if nothing valid is stored. */
export function readBill(token: string): SavedBill | null {
  const kept = savedBills.get(token);
  if (kept) return kept;
  try {
    const bill: SavedBill | null = JSON.parse(localStorage.getItem(`bill:${token}`) ?? 'null');
    return bill?.merchant.currency && bill.store && bill.priceNote && Array.isArray(bill.orders) ? bill : null;
  } catch {
    return null;
  }
}

/** Deletes it. */
export function forgetBill(token: string): void {
  savedBills.delete(token);
  try {
    for (const kept of ['bill', 'bill:seen', 'bill:paying']) localStorage.removeItem(`${kept}:${token}`);
  } catch {}
}
