import { DomainError } from '../kernel/errors';
import { type PricedBill, priceVoucher, type VoucherTerms } from '../kernel/voucher-pricing';
import { figuresOfBill, type LoadedBill } from './load';
import { availableOf } from './rules';

/**
 * Returns for each redemption what its voucher would take off the present bill, in minor units: 0 if it no longer
 * applies, null for points, stored value and what was voided. The vouchers are priced anew in the order in which they
 * were redeemed, each on what those before it leave. One that took less than its worth, because no more was due, can
 * take what is due now.
 */
export function priceRedeemed(bill: LoadedBill, currency: string, now: Date): (number | null)[] {
  const { row, redemptions } = bill;
  if (redemptions.every(({ terms }) => terms === null)) return redemptions.map(() => null);
  // What the till took off by itself stays off.
  let amount = redemptions
    .filter(({ isInDiscount }) => isInDiscount)
    .reduce((sum, included) => sum + included.amount, row.subtotal - row.discount);
  let due = availableOf(figuresOfBill(bill, now));
  const redeemed: VoucherTerms[] = [];
  return redemptions.map(({ type, terms, isVoided, amount: taken }) => {
    if (isVoided || type === 'redeemStoredValue') return null;
    if (terms === null) {
      amount -= taken;
      return null;
    }
    const priced = { amount: Math.max(0, amount), lines: row.lines, available: due + taken, redeemed };
    const amountNow = discountOf(terms, priced, currency);
    if (amountNow > 0) redeemed.push(terms);
    amount -= amountNow;
    due += taken - amountNow;
    return amountNow;
  });
}

/** Returns 0 for a voucher that can't be redeemed on the bill. */
function discountOf(terms: VoucherTerms, bill: PricedBill, currency: string): number {
  try {
    return priceVoucher(terms, bill, currency).amount;
  } catch (error) {
    if (error instanceof DomainError) return 0;
    throw error;
  }
}
