/**
 * Computes a voucher's discount on a bill. Pure and exact: amounts are integers in the minor unit, quantities integers
 * of a thousandth, percentages integers of a hundredth of a percent. A percentage is rounded half up once, on the
 * total.
 */
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { share } from '../kernel/share';
import { isForItems, isPercentage, type VoucherUnit } from '../kernel/voucher-units';
import type { Bill, BillLine } from './schemas';

export interface VoucherTerms {
  unit: VoucherUnit;
  /** Minor units, or hundredths of a percent. */
  value: number;
  plus: string[];
  minSpend: number;
  maxDiscount: number | null;
  maxUnits: number;
}

/** A bill. What is left to pay (`available`) may be less than `amount`. */
export type PricedBill = Bill & { available?: number };

export interface Discount {
  amount: number;
  lines: { index: number; plu: string; amount: number }[];
}

/**
 * Errors: `bill_lines_required` for an item voucher on a bill without lines, `minimum_spend_not_met`,
 * `voucher_not_applicable` if the discount would be zero.
 */
export function priceVoucher(terms: VoucherTerms, bill: PricedBill, currency: string): Discount {
  const ofItems = isForItems(terms.unit);
  // Some POS send an empty list if a bill has no lines.
  if (ofItems && !bill.lines?.length) {
    const issues = [{ path: 'bill.lines', sentence: say('linesRequired') }];
    throw new DomainError('bill_lines_required', say('billLinesRequired'), {}, issues);
  }
  if (bill.amount < terms.minSpend) {
    const details = { minSpend: terms.minSpend, billAmount: bill.amount };
    const sentence = say('minimumSpendNotMet', {
      least: { minor: terms.minSpend, currency },
      spent: { minor: bill.amount, currency },
    });
    throw new DomainError('minimum_spend_not_met', sentence, details);
  }
  const { lines = [] } = bill;
  const { total, weights } = ofItems ? priceItems(terms, lines) : priceBill(terms, bill.amount, lines);
  const { amount: most, available = most } = bill;
  const amount = Math.min(total, most, available, terms.maxDiscount ?? most);
  if (amount === 0) throw notApplicable(terms, lines);
  const parts = share(amount, weights);
  return { amount, lines: lines.map(({ plu }, index) => ({ index, plu, amount: parts[index] as number })) };
}

function notApplicable({ unit, plus }: VoucherTerms, lines: BillLine[]): DomainError {
  const isForOthers = isForItems(unit) && !lines.some(({ plu }) => plus.includes(plu));
  const sentence = say(isForOthers ? 'voucherForOtherItems' : 'voucherNotApplicable');
  return new DomainError('voucher_not_applicable', sentence, isForOthers ? { plus } : {});
}

/**
 * What each unit takes off a price: of the bill, or of one unit of an item. Percentages are in 1/10,000 of the price's
 * unit.
 */
const discounts: Record<VoucherUnit, (price: bigint, value: bigint) => bigint> = {
  BillDollarValue: (price, value) => (value < price ? value : price),
  BillDollarPercentage: (price, value) => price * value,
  ItemDollarValue: (price, value) => (value < price ? value : price),
  ItemDollarPercentage: (price, value) => price * value,
};

const scaleOf = (unit: VoucherUnit) => (isPercentage(unit) ? 10_000n : 1n);

interface Priced {
  total: number;
  /** Relative shares of the lines in the discount. */
  weights: bigint[];
}

function priceBill({ unit, value }: VoucherTerms, billAmount: number, lines: BillLine[]): Priced {
  const total = roundHalfUp(discounts[unit](BigInt(billAmount), BigInt(value)), scaleOf(unit));
  const { prices } = pricesOf(lines);
  const weights = lines.map(({ quantity }, index) => thousandths(quantity) * (prices[index] as bigint));
  // If all lines are free, they share it equally.
  return { total, weights: weights.some((weight) => weight > 0n) ? weights : weights.map(() => 1n) };
}

/** Prices the matching items, most expensive first, up to `maxUnits` of them. */
function priceItems({ unit, value, plus, maxUnits }: VoucherTerms, lines: BillLine[]): Priced {
  const { prices, fraction } = pricesOf(lines);
  const matching = lines
    .map(({ plu, quantity }, index) => ({ plu, index, price: prices[index] as bigint, inLine: thousandths(quantity) }))
    .filter(({ plu }) => plus.includes(plu))
    .sort((a, b) => (a.price === b.price ? a.index - b.index : a.price < b.price ? 1 : -1));
  const weights = lines.map(() => 0n);
  const inFractions = isPercentage(unit) ? BigInt(value) : BigInt(value) * fraction;
  let unitsLeft = BigInt(maxUnits) * 1000n;
  let sum = 0n;
  for (const { index, inLine, price } of matching) {
    const units = inLine < unitsLeft ? inLine : unitsLeft;
    unitsLeft -= units;
    weights[index] = discounts[unit](price, inFractions) * units;
    sum += weights[index] as bigint;
  }
  return { total: roundHalfUp(sum, 1000n * scaleOf(unit) * fraction), weights };
}

/**
 * The exact price of one unit of each line, in a `fraction` of a minor unit that makes all prices whole numbers. The
 * till's amount for the line counts, which is less than the menu's price in a happy hour, and zero for a free dish.
 */
function pricesOf(lines: BillLine[]): { prices: bigint[]; fraction: bigint } {
  const shares = lines.map(({ amount, quantity, unitPrice }) => {
    if (amount === undefined) return { price: BigInt(unitPrice), of: 1n };
    const [price, of] = [BigInt(amount) * 1000n, thousandths(quantity)];
    const divisor = greatestDivisor(price, of);
    return { price: price / divisor, of: of / divisor };
  });
  const fraction = shares.reduce((all, { of }) => (all / greatestDivisor(all, of)) * of, 1n);
  return { prices: shares.map(({ price, of }) => (fraction / of) * price), fraction };
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b));

const thousandths = (quantity: number) => BigInt(Math.round(quantity * 1000));

function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
