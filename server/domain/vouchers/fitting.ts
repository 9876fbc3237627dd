/** What vouchers would take off a bill. Redeems and reserves nothing. */
import { DomainError } from '../kernel/errors';
import type { Voucher } from '../kernel/voucher';
import { type PricedBill, priceVoucher } from '../kernel/voucher-pricing';
import { storedValue } from '../kernel/voucher-units';
import { checkCombinable } from './redeemed-together';

interface TriedVouchers<V> {
  /**
   * With the discount of each by itself, in minor units. The largest comes first, then the order in which they are
   * held.
   */
  fitting: { voucher: V; amount: number }[];
  /** Each with the error that its redemption would return. */
  refused: { voucher: V; refusal: DomainError }[];
}

/** Tries each of a customer's usable vouchers on a bill. `redeemed` are the vouchers already redeemed on it. */
export function tryVouchers<V extends Voucher>(
  held: V[],
  bill: PricedBill,
  redeemed: { stackable: boolean }[],
  currency: string,
): TriedVouchers<V> {
  const tried: TriedVouchers<V> = { fitting: [], refused: [] };
  for (const voucher of held) {
    try {
      checkCombinable(voucher, redeemed);
      tried.fitting.push({ voucher, amount: discountOf(voucher, bill, currency) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      tried.refused.push({ voucher, refusal: error });
    }
  }
  tried.fitting.sort((a, b) => b.amount - a.amount);
  return tried;
}

const discountOf = (voucher: Voucher, bill: PricedBill, currency: string): number =>
  priceVoucher({ ...voucher, value: storedValue(voucher) }, bill, currency).amount;
