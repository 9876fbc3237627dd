/** Properties of every voucher on every bill, compared with an oracle in fractions that shares no code. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../kernel/errors';
import { maxMoney } from '../kernel/schemas';
import { type Discount, priceVoucher, type VoucherTerms } from './pricing';
import type { Bill } from './schemas';

const units = ['BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage'] as const;
const plus = ['A', 'B', 'C', 'D'];
/** Mostly menu prices, and now and then the maximum. */
const price = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  fc.integer({ min: 0, max: maxMoney }),
);
const amount = price.map((value) => Math.max(1, value));
const quantity = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 9 }) },
  fc.integer({ min: 1, max: 9_999 }).map((thousandths) => thousandths / 1000),
);
const line = fc.record({ plu: fc.constantFrom(...plus), quantity, unitPrice: price });

const termsAndBill = fc
  .record({
    unit: fc.constantFrom(...units),
    money: amount,
    hundredths: fc.integer({ min: 1, max: 10_000 }),
    plus: fc.uniqueArray(fc.constantFrom(...plus), { minLength: 1, maxLength: 3 }),
    maxDiscount: fc.option(amount),
    maxUnits: fc.integer({ min: 1, max: 12 }),
    bill: fc.record({ amount, lines: fc.array(line, { maxLength: 8 }) }),
  })
  .map(({ unit, money, hundredths, bill, ...rest }): [VoucherTerms, Required<Bill>] => [
    { unit, value: unit.endsWith('Percentage') ? hundredths : money, minSpend: 0, ...rest },
    bill,
  ]);

/** Returns the discount; null if the voucher gives none, or the bill has no lines for it. */
function priced(terms: VoucherTerms, bill: Bill): Discount | null {
  try {
    return priceVoucher(terms, bill, 'SGD');
  } catch (error) {
    if (error instanceof DomainError && ['voucher_not_applicable', 'bill_lines_required'].includes(error.code))
      return null;
    throw error;
  }
}

const thousandths = (value: number) => BigInt(value.toFixed(3).replace('.', ''));
const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);

/** Returns how many thousandths of a unit count on each line: what is left after more expensive lines. */
function countedUnits({ plus: listed, maxUnits }: VoucherTerms, { lines }: Required<Bill>): bigint[] {
  return lines.map((own, at) => {
    if (!listed.includes(own.plu)) return 0n;
    const before = lines.filter(
      (other, index) =>
        listed.includes(other.plu) &&
        (other.unitPrice > own.unitPrice || (other.unitPrice === own.unitPrice && index < at)),
    );
    const left = BigInt(maxUnits * 1000) - sum(before.map((other) => thousandths(other.quantity)));
    if (left <= 0n) return 0n;
    return left < thousandths(own.quantity) ? left : thousandths(own.quantity);
  });
}

/** Returns each line's exact share as a numerator over a common denominator; for bill units, the line's amount. */
function exact(terms: VoucherTerms, bill: Required<Bill>): { whole: bigint; denominator: bigint; shares: bigint[] } {
  const value = BigInt(terms.value);
  if (terms.unit.startsWith('Bill')) {
    const lines = bill.lines.map((one) => BigInt(one.unitPrice) * thousandths(one.quantity));
    const shares = sum(lines) === 0n ? lines.map(() => 1n) : lines;
    if (terms.unit === 'BillDollarValue') return { whole: value, denominator: 1n, shares };
    return { whole: value * BigInt(bill.amount), denominator: 10_000n, shares };
  }
  const counted = countedUnits(terms, bill);
  const perUnit = bill.lines.map(({ unitPrice }) => {
    if (terms.unit === 'ItemDollarPercentage') return BigInt(unitPrice) * value;
    return unitPrice < terms.value ? BigInt(unitPrice) : value;
  });
  const shares = counted.map((count, index) => count * (perUnit[index] as bigint));
  return { whole: sum(shares), denominator: terms.unit === 'ItemDollarValue' ? 1000n : 10_000_000n, shares };
}

function oracle(terms: VoucherTerms, bill: Required<Bill>): bigint {
  const { whole, denominator } = exact(terms, bill);
  const rounded = whole / denominator + ((whole % denominator) * 2n >= denominator ? 1n : 0n);
  const limits = [rounded, BigInt(bill.amount), BigInt(terms.maxDiscount ?? bill.amount)];
  return limits.reduce((least, limit) => (limit < least ? limit : least));
}

const runs = { numRuns: 3_000 };

test('the amount is the exact one, rounded half up once, within the bill and the maximum', () => {
  let refused = 0;
  fc.assert(
    fc.property(termsAndBill, ([terms, bill]) => {
      const discount = priced(terms, bill);
      if (discount === null) refused += 1;
      expect(BigInt(discount?.amount ?? 0)).toBe(oracle(terms, bill));
    }),
    runs,
  );
  // The generator must not produce refusals only.
  expect(refused).toBeLessThan(2_000);
});

test('it is never negative, and never more than the bill or the maximum discount', () => {
  fc.assert(
    fc.property(termsAndBill, ([terms, bill]) => {
      const discount = priced(terms, bill);
      if (discount === null) return;
      expect(discount.amount).toBeGreaterThan(0);
      expect(discount.amount).toBeLessThanOrEqual(bill.amount);
      expect(discount.amount).toBeLessThanOrEqual(terms.maxDiscount ?? bill.amount);
      for (const part of discount.lines) expect(part.amount).toBeGreaterThanOrEqual(0);
    }),
    runs,
  );
});

test('the lines’ parts add up to the whole, each within one of its exact share', () => {
  fc.assert(
    fc.property(termsAndBill, ([terms, bill]) => {
      const discount = priced(terms, bill);
      if (discount === null || bill.lines.length === 0) return;
      expect(discount.lines.map(({ index, plu }) => [index, plu])).toEqual(bill.lines.map(({ plu }, i) => [i, plu]));
      expect(sum(discount.lines.map((part) => BigInt(part.amount)))).toBe(BigInt(discount.amount));
      const { shares } = exact(terms, bill);
      const whole = sum(shares);
      const above = discount.lines.map((part, i) => {
        const share = BigInt(discount.amount) * (shares[i] as bigint);
        return { over: BigInt(part.amount) * whole - share, remainder: share % whole };
      });
      for (const { over } of above) expect(over > -whole && over < whole).toBe(true);
      // Those rounded up have the largest remainders.
      const least = above.filter(({ over }) => over > 0n).map(({ remainder }) => remainder);
      const most = above.filter(({ over }) => over <= 0n).map(({ remainder }) => remainder);
      for (const up of least) for (const down of most) expect(up >= down).toBe(true);
    }),
    runs,
  );
});

test('the same input gives the same result, and is not changed', () => {
  fc.assert(
    fc.property(termsAndBill, ([terms, bill]) => {
      const copy = structuredClone({ terms, bill });
      const first = priced(terms, bill);
      expect(priced(terms, bill)).toEqual(first);
      expect({ terms, bill }).toEqual(copy);
      expect(priced(copy.terms, copy.bill)).toEqual(first);
    }),
    { numRuns: 1_000 },
  );
});

test('lines change how a bill voucher is shared, never its total', () => {
  fc.assert(
    fc.property(termsAndBill, ([terms, bill]) => {
      if (!terms.unit.startsWith('Bill')) return;
      expect(priced(terms, { amount: bill.amount })?.amount).toBe(priced(terms, bill)?.amount);
    }),
    { numRuns: 1_000 },
  );
});
