import type { RedeemedTerms } from '../kernel/voucher-pricing';
import { figuresOfBill, type LoadedBill } from './load';
import { availableOf } from './rules';

/** What vouchers are computed on. */
export interface PriceableBill {
  /** The goods less discounts, vouchers and points: what a till would send as `bill.amount`. */
  amount: number;
  lines: { plu: string; quantity: number; unitPrice: number; amount: number }[];
  /** The most that a voucher can take off: what is due; for a phone, without what another is paying now. */
  available: number;
  /** The vouchers that were redeemed on it. */
  redeemed: RedeemedTerms[];
}

/** Returns the vouchers that count on a bill, in the order in which they were redeemed. */
export const redeemedVouchers = ({ redemptions }: LoadedBill): RedeemedTerms[] =>
  redemptions.flatMap(({ terms }) => terms ?? []);

/**
 * Describes an open bill for vouchers. Redemptions that its till has included in `discount` are not subtracted twice.
 */
export function toPriceable(bill: LoadedBill, now: Date, isByTill = false): PriceableBill {
  const { subtotal, discount, lines } = bill.row;
  const figures = figuresOfBill(bill, now);
  const lowered = bill.redemptions.filter(
    ({ type, isInDiscount, isVoided }) => type !== 'redeemStoredValue' && !isInDiscount && !isVoided,
  );
  const taken = lowered.reduce((sum, { amount }) => sum + amount, discount);
  return {
    amount: Math.max(0, subtotal - taken),
    lines: lines.map(({ plu, quantity, unitPrice, amount }) => ({ plu, quantity, unitPrice, amount })),
    available: isByTill ? figures.due : availableOf(figures),
    redeemed: redeemedVouchers(bill),
  };
}
