import type { Discount, VoucherTerms } from '@/server/domain/vouchers';
import { priceVoucher } from '@/server/domain/vouchers/pricing';

export interface SampleItem {
  plu: string;
  name: string;
  /** Minor units. */
  price: number;
}

export interface SampleBill {
  lines: (SampleItem & { quantity: number; discount: number })[];
  amount: number;
  /** The discount; null for none. */
  discount: number | null;
}

/** Returns a bill of a few items that is large enough for the voucher, with the voucher's discount. */
export function sampleBill(
  terms: VoucherTerms,
  chosen: SampleItem[],
  others: SampleItem[],
  currency: string,
): SampleBill {
  const rest = others.filter(({ plu, price }) => price > 0 && !terms.plus.includes(plu));
  const items = [...chosen.slice(0, 2), ...rest].slice(0, 3);
  const once = items.map((item, at) => ({ ...item, quantity: at === 0 ? 2 : 1 }));
  const sum = (lines: typeof once) => lines.reduce((total, { price, quantity }) => total + price * quantity, 0);
  const times = Math.min(Math.max(1, Math.ceil(terms.minSpend / Math.max(1, sum(once)))), 1_000);
  const lines = once.map((line) => ({ ...line, quantity: line.quantity * times }));
  const amount = sum(lines);
  const discount = discountOf(terms, lines, amount, currency);
  return {
    lines: lines.map((line, at) => ({ ...line, discount: discount?.lines[at]?.amount ?? 0 })),
    amount,
    discount: discount?.amount ?? null,
  };
}

function discountOf(
  terms: VoucherTerms,
  lines: (SampleItem & { quantity: number })[],
  amount: number,
  currency: string,
): Discount | null {
  const bill = { amount, lines: lines.map(({ plu, quantity, price }) => ({ plu, quantity, unitPrice: price })) };
  try {
    return priceVoucher(terms, bill, currency);
  } catch {
    // The draft gives no discount, or is incomplete.
    return null;
  }
}
