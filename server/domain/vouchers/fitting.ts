/** What vouchers would take off a bill. Redeems and claims nothing. */
import { DomainError } from '../kernel/errors';
import type { Voucher } from '../kernel/voucher';
import { type PricedBill, priceVoucher } from './pricing';
import { canJoin } from './redeem';
import { isPercentage } from './schemas';

/**
 * Returns those of a customer's usable vouchers that fit a bill, each with the discount it would give by itself, in minor
 * units. The largest comes first, then the one that expires first. `redeemed` are the vouchers on the bill already.
 */
export function fittingVouchers<V extends Voucher>(
  held: V[],
  bill: PricedBill,
  redeemed: { stackable: boolean }[],
  currency: string,
): { voucher: V; amount: number }[] {
  return held
    .filter((voucher) => canJoin(voucher, redeemed))
    .flatMap((voucher) => {
      const amount = discountOf(voucher, bill, currency);
      return amount === null ? [] : [{ voucher, amount }];
    })
    .sort((a, b) => b.amount - a.amount);
}

/** Returns null for a voucher that gives no discount. */
function discountOf({ value, ...voucher }: Voucher, bill: PricedBill, currency: string): number | null {
  const hundredths = isPercentage(voucher.unit) ? Math.round(value * 100) : value;
  try {
    return priceVoucher({ ...voucher, value: hundredths }, bill, currency).amount;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
