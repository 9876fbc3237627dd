import type { Tx } from '@/db/driver';
import type { Merchant } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { type BillName, figuresOfBill, isSettling, type LoadedBill, loadBill, requireBill } from './load';
import { availableOf, type Redemption } from './rules';
import { isForgotten } from './window';
import { billClosed } from './write';

/** True if it can be redeemed and paid on. A bill that its till has forgotten can't. */
export const isBillOpen = ({ row }: LoadedBill, now: Date): boolean => row.state === 'open' && !isForgotten(row, now);

/** Finds an open bill with its redemptions and payments. Errors: `bill_not_found`, `bill_closed`. */
export async function requireOpenBill(tx: Tx, name: BillName, mode: 'read' | 'lock', now: Date): Promise<LoadedBill> {
  const bill = await loadBill(tx, await requireBill(tx, name, mode));
  if (!isBillOpen(bill, now)) throw billClosed(bill.row.state === 'void' ? 'void' : 'closed');
  return bill;
}

/**
 * Errors: `bill_due_exceeded` for more than what is due and not held by payments under way. `isByTill`: what phones hold counts as
 * available.
 */
export function checkAvailable(
  bill: LoadedBill,
  { currency }: Pick<Merchant, 'currency'>,
  amount: number,
  now: Date,
  isByTill = false,
): void {
  const figures = figuresOfBill(bill, now);
  const available = isByTill ? figures.due : availableOf(figures);
  if (amount <= available) return;
  const sentence = say('billDueExceeded', {
    available: { minor: available, currency },
    requested: { minor: amount, currency },
  });
  throw new DomainError('bill_due_exceeded', sentence, { due: figures.due, held: figures.held, requested: amount });
}

/** Errors: `bill_changed` if another sum is due, or unsettled on a closed bill, than the till has read. */
export function checkExpectedDue(
  bill: LoadedBill,
  { currency }: Pick<Merchant, 'currency'>,
  expected: number | undefined,
  now: Date,
): void {
  if (expected === undefined) return;
  const { due, held, redeemed, paid } = figuresOfBill(bill, now);
  if (due === expected) return;
  const sentence = say('billChanged', { due: { minor: due, currency }, expected: { minor: expected, currency } });
  const openedAt = bill.row.createdAt.toISOString();
  throw new DomainError('bill_changed', sentence, { expectedDue: expected, due, held, redeemed, paid, openedAt });
}

/** Errors: `bill_settling` for a change by phone while the till takes money. */
export function checkNotSettling(bill: LoadedBill, now: Date): void {
  if (isSettling(bill, now)) throw new DomainError('bill_settling', say('billSettling'));
}

/**
 * True if the till took money for a part of the bill after a redemption by phone, and so relied on it. The rest of a
 * redemption that was refunded in part was recorded anew; it happened when the whole did.
 */
const isReliedOn = ({ row, sold }: LoadedBill, { occurredAt }: Redemption): boolean =>
  sold.some((sale) => sale.createdAt >= occurredAt) || (row.paidAtTill.length > 0 && row.updatedAt >= occurredAt);

/**
 * True if a diner may take back a redemption by phone: for some minutes, so that the till can rely on what is due. Once
 * nothing is due, the till took money after it, or its discount includes it, only staff can.
 */
export const canTakeBack = (
  bill: LoadedBill,
  redemption: Redemption,
  { takeBackMinutes }: { takeBackMinutes: number },
  now: Date,
): boolean =>
  !redemption.isInDiscount &&
  !redemption.isVoided &&
  now.getTime() < redemption.occurredAt.getTime() + takeBackMinutes * 60_000 &&
  !isReliedOn(bill, redemption) &&
  !figuresOfBill(bill, now).isPaid;
