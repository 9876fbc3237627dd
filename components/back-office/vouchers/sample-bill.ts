import { type Discount, priceVoucher, type VoucherTerms } from '@/server/domain/kernel/voucher-pricing';
import { isForItems, type VoucherUnit } from '@/server/domain/kernel/voucher-units';

export interface SampleItem {
  plu: string;
  name: string;
  /** Minor units. */
  price: number;
}

export interface SampleBill {
  lines: (SampleItem & { quantity: number; discount: number })[];
  amount: number;
  /** The discount; null if there is none. */
  discount: number | null;
}

/**
 * Returns a bill of a few items with the voucher's discount. It is large enough for the voucher and, if possible, for
 * its maximum or the whole of a fixed amount.
 */
export function sampleBill(
  terms: VoucherTerms,
  chosen: SampleItem[],
  others: SampleItem[],
  currency: string,
): SampleBill {
  const rest = others.filter(({ plu, price }) => price > 0 && !terms.plus.includes(plu));
  const items = [...chosen.slice(0, 2), ...rest].slice(0, 3);
  const once = items.map((item, at) => ({ ...item, quantity: at === 0 ? 2 : 1 }));
  const discounted = isForItems(terms.unit) ? once.filter(({ plu }) => terms.plus.includes(plu)) : once;
  const timesFor = (amount: number, lines: typeof once) =>
    Math.min(Math.max(1, Math.ceil(amount / Math.max(1, sumOf(lines)))), maxTimes);
  const least = timesFor(terms.minSpend, once);
  const most = largestDiscounts[terms.unit](terms);
  const large = most === null ? least : Math.max(least, timesFor(most.from, discounted));
  const bill = priced(terms, once, large, currency);
  return large > least && bill.discount !== most?.discount ? priced(terms, once, least, currency) : bill;
}

const maxTimes = 1_000;
const sumOf = (lines: (SampleItem & { quantity: number })[]) =>
  lines.reduce((total, { price, quantity }) => total + price * quantity, 0);

/**
 * Returns the largest discount, and the smallest amount (of the bill, or of its discounted items) that reaches it; null
 * if there is none.
 */
type LargestDiscount = (terms: VoucherTerms) => { discount: number; from: number } | null;

const maximum: LargestDiscount = ({ value, maxDiscount }) =>
  maxDiscount === null || value === 0
    ? null
    : { discount: maxDiscount, from: Math.floor((maxDiscount * 10_000) / value) + 1 };

const largestDiscounts: Record<VoucherUnit, LargestDiscount> = {
  BillDollarValue: ({ value }) => ({ discount: value, from: value }),
  BillDollarPercentage: maximum,
  ItemDollarValue: () => null,
  ItemDollarPercentage: maximum,
};

function priced(
  terms: VoucherTerms,
  once: (SampleItem & { quantity: number })[],
  times: number,
  currency: string,
): SampleBill {
  const lines = once.map((line) => ({ ...line, quantity: line.quantity * times }));
  const amount = sumOf(lines);
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
