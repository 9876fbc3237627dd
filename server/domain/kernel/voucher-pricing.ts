/**
 * Computes a voucher's discount on a bill. Pure and exact: amounts are integers in the minor unit, quantities integers
 * of a thousandth, percentages integers of a hundredth of a percent. A percentage is rounded half up once, on the
 * total.
 */
import { DomainError } from './errors';
import { netLines } from './net-lines';
import { say } from './say';
import { shareByWeight } from './share';
import { isForItems, isPercentage, type VoucherUnit } from './voucher-units';

export interface BillLine {
  plu: string;
  quantity: number;
  /** Of the menu. */
  unitPrice: number;
  /** What the guest pays for the line. Default: quantity × unitPrice. */
  amount?: number | undefined;
}

interface Bill {
  /** Before the voucher. */
  amount: number;
  lines?: BillLine[] | undefined;
}

export interface VoucherTerms {
  unit: VoucherUnit;
  /** Minor units, or hundredths of a percent. */
  value: number;
  plus: string[];
  minSpend: number;
  maxDiscount: number | null;
  maxUnits: number;
}

/** Of a voucher that was redeemed: what it does to the others on its bill. */
export type RedeemedTerms = VoucherTerms & { stackable: boolean };

/** What decides which units of a bill's items a voucher is for. */
export type UnitTerms = Pick<VoucherTerms, 'unit' | 'value' | 'plus' | 'maxUnits'>;

/** A bill, of which perhaps less than `amount` is still to be paid, with the vouchers that were redeemed on it, oldest first. */
export type PricedBill = Bill & { available?: number; redeemed?: readonly UnitTerms[] };

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
  const lines = netLines(bill.lines ?? []);
  const { redeemed = [] } = bill;
  const { total, weights } = ofItems ? priceItems(terms, lines, redeemed) : priceBill(terms, bill.amount, lines);
  const { amount: most, available = most } = bill;
  const amount = Math.min(total, most, available, terms.maxDiscount ?? most);
  if (amount === 0) throw notApplicable(terms, lines);
  const parts = shareByWeight(amount, weights);
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
  const weights = lines.map(({ quantity }, index) => inThousandths(quantity) * (prices[index] as bigint));
  // If all lines are free, they share it equally.
  return { total, weights: weights.some((weight) => weight > 0n) ? weights : weights.map(() => 1n) };
}

/** Units of a line that cost the same. */
interface Units {
  index: number;
  plu: string;
  /** What one of them is still paid. */
  price: bigint;
  /** How many, in thousandths. */
  count: bigint;
}

/** Prices the matching units that earlier vouchers left, most expensive first, up to `maxUnits`. */
function priceItems(terms: VoucherTerms, lines: BillLine[], redeemed: readonly UnitTerms[]): Priced {
  const { prices, fraction } = pricesOf(lines);
  let units: Units[] = lines.map(({ plu, quantity }, index) => {
    return { index, plu, price: prices[index] as bigint, count: inThousandths(quantity) };
  });
  let whole = fraction;
  for (const earlier of redeemed.filter(({ unit }) => isForItems(unit))) {
    ({ units, whole } = takeUnits(earlier, units, whole));
  }
  const { taken, whole: inAll } = takeUnits(terms, units, whole);
  // Of lines that were struck out, no units are left.
  const weights = lines.map((_, index) => taken[index] ?? 0n);
  return { total: roundHalfUp(sumOf(weights), 1000n * inAll), weights };
}

/** Takes a voucher off the most expensive units that it is for. Prices are in parts of a minor unit, `whole` to one. */
function takeUnits({ unit, value, plus, maxUnits }: UnitTerms, units: Units[], whole: bigint) {
  const scale = scaleOf(unit);
  const off = isPercentage(unit) ? BigInt(value) : BigInt(value) * whole;
  const ordered = units.toSorted((a, b) => (a.price === b.price ? a.index - b.index : a.price < b.price ? 1 : -1));
  const taken: bigint[] = [];
  const left: Units[] = [];
  let unitsLeft = BigInt(maxUnits) * 1000n;
  for (const one of ordered) {
    const count = !plus.includes(one.plu) ? 0n : one.count < unitsLeft ? one.count : unitsLeft;
    unitsLeft -= count;
    const discount = discounts[unit](one.price, off);
    taken[one.index] = (taken[one.index] ?? 0n) + discount * count;
    if (count > 0n) left.push({ ...one, count, price: one.price * scale - discount });
    if (count < one.count) left.push({ ...one, count: one.count - count, price: one.price * scale });
  }
  return { taken, units: left, whole: whole * scale };
}

const sumOf = (values: bigint[]) => values.reduce((sum, value) => sum + value, 0n);

/**
 * The exact price of one unit of each line, in a `fraction` of a minor unit that makes all prices whole numbers. The
 * till's amount for the line counts, which is less than the menu's price in a happy hour, and zero for a free dish.
 */
function pricesOf(lines: BillLine[]): { prices: bigint[]; fraction: bigint } {
  const shares = lines.map(({ amount, quantity, unitPrice }) => {
    if (quantity === 0) return { price: 0n, of: 1n };
    if (amount === undefined) return { price: BigInt(unitPrice), of: 1n };
    const [price, of] = [BigInt(amount) * 1000n, inThousandths(quantity)];
    const divisor = greatestDivisor(price, of);
    return { price: price / divisor, of: of / divisor };
  });
  const fraction = shares.reduce((all, { of }) => (all / greatestDivisor(all, of)) * of, 1n);
  return { prices: shares.map(({ price, of }) => (fraction / of) * price), fraction };
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b));

const inThousandths = (quantity: number) => BigInt(Math.round(quantity * 1000));

function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
