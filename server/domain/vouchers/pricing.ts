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

/** A bill, of which perhaps less than `amount` is still to be paid. */
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
  // Some POS send an empty list if there are none.
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
 * What each unit takes off a price: that of the bill, or of one unit of an item. For percentages in 1/10,000 of a
 * minor unit.
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
  /** How the lines share the discount. */
  weights: bigint[];
}

function priceBill({ unit, value }: VoucherTerms, billAmount: number, lines: BillLine[]): Priced {
  const total = roundHalfUp(discounts[unit](BigInt(billAmount), BigInt(value)), scaleOf(unit));
  const weights = lines.map(({ quantity, unitPrice }) => thousandths(quantity) * BigInt(unitPrice));
  // If all lines are free of charge, they share it equally.
  return { total, weights: weights.some((weight) => weight > 0n) ? weights : weights.map(() => 1n) };
}

/** Prices the matching units, most expensive first, up to `maxUnits`. */
function priceItems({ unit, value, plus, maxUnits }: VoucherTerms, lines: BillLine[]): Priced {
  const matching = lines
    .map((line, index) => ({ ...line, index }))
    .filter(({ plu }) => plus.includes(plu))
    .sort((a, b) => b.unitPrice - a.unitPrice || a.index - b.index);
  const weights = lines.map(() => 0n);
  let unitsLeft = BigInt(maxUnits) * 1000n;
  let sum = 0n;
  for (const { index, quantity, unitPrice } of matching) {
    const inLine = thousandths(quantity);
    const units = inLine < unitsLeft ? inLine : unitsLeft;
    unitsLeft -= units;
    const perUnit = discounts[unit](BigInt(unitPrice), BigInt(value));
    weights[index] = perUnit * units;
    sum += perUnit * units;
  }
  return { total: roundHalfUp(sum, 1000n * scaleOf(unit)), weights };
}

const thousandths = (quantity: number) => BigInt(Math.round(quantity * 1000));

function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
