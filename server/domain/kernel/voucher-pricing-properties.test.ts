/** Properties of every voucher on every bill, compared with the model's exact discounts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discountOf, exactDiscount } from '@/server/testing/ledger-model/vouchers';
import { DomainError } from './errors';
import { maxMoney } from './schemas';
import { type Discount, type PricedBill, priceVoucher, type VoucherTerms } from './voucher-pricing';
import { isForItems, isPercentage, voucherUnitNames } from './voucher-units';

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
/** Half of the lines say what they really cost: a happy hour, a free dish, or the menu's price. */
const line = fc
  .record({ plu: fc.constantFrom(...plus), quantity, unitPrice: price, amount: fc.option(price, { nil: undefined }) })
  .map(({ amount, ...rest }) => (amount === undefined ? rest : { ...rest, amount }));

const termsAndBill = fc
  .record({
    unit: fc.constantFrom(...voucherUnitNames),
    money: amount,
    hundredths: fc.integer({ min: 1, max: 10_000 }),
    plus: fc.uniqueArray(fc.constantFrom(...plus), { minLength: 1, maxLength: 3 }),
    maxDiscount: fc.option(amount),
    maxUnits: fc.integer({ min: 1, max: 12 }),
    bill: fc.record({ amount, lines: fc.array(line, { maxLength: 8 }) }),
  })
  .map(({ unit, money, hundredths, bill, ...rest }): [VoucherTerms, Required<Pick<PricedBill, 'amount' | 'lines'>>] => [
    { unit, value: isPercentage(unit) ? hundredths : money, minSpend: 0, ...rest },
    bill,
  ]);

/** Returns the discount; null if the voucher gives none, or the bill has no lines for it. */
function priced(terms: VoucherTerms, bill: PricedBill): Discount | null {
  try {
    return priceVoucher(terms, bill, 'SGD');
  } catch (error) {
    if (error instanceof DomainError && ['voucher_not_applicable', 'bill_lines_required'].includes(error.code))
      return null;
    throw error;
  }
}

const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);

const runs = { numRuns: 3_000 };

test('the amount is the exact one, rounded half up once, within the bill and the maximum', () => {
  let refused = 0;
  fc.assert(
    fc.property(termsAndBill, ([terms, bill]) => {
      const discount = priced(terms, bill);
      if (discount === null) refused += 1;
      expect(discount?.amount ?? 0).toBe(discountOf(terms, bill));
    }),
    runs,
  );
  // Makes sure that the generator does not produce only refusals.
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
      const { shares } = exactDiscount(terms, bill);
      const whole = sum(shares);
      const above = discount.lines.map((part, i) => {
        const share = BigInt(discount.amount) * (shares[i] as bigint);
        return { over: BigInt(part.amount) * whole - share, remainder: share % whole };
      });
      for (const { over } of above) expect(over > -whole && over < whole).toBe(true);
      // The shares that are rounded up have the largest remainders.
      const least = above.filter(({ over }) => over > 0n).map(({ remainder }) => remainder);
      const most = above.filter(({ over }) => over <= 0n).map(({ remainder }) => remainder);
      for (const up of least) for (const down of most) expect(up >= down).toBe(true);
    }),
    runs,
  );
});

test('lines below zero and earlier vouchers never leave a part out, and the parts add up', () => {
  const struckOut = fc.tuple(fc.nat({ max: 7 }), fc.boolean());
  const earlier = fc.array(
    termsAndBill.map(([terms]) => terms),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(termsAndBill, fc.array(struckOut, { maxLength: 4 }), earlier, ([terms, bill], struck, redeemed) => {
      const counters = struck.flatMap(([n, isWhole]) => {
        const found = bill.lines[n];
        if (!found || (!isWhole && found.quantity < 1)) return [];
        const part = isWhole ? 1 : 1 / Math.ceil(found.quantity);
        const { amount } = found;
        const taken = amount === undefined ? {} : { amount: -Math.round(amount * part) || 0 };
        return { ...found, quantity: isWhole ? -found.quantity : -1, ...taken };
      });
      const lines = [...bill.lines, ...counters];
      const discount = priced(terms, { ...bill, lines, redeemed });
      if (discount === null || lines.length === 0) return;
      expect(discount.lines.map(({ index, plu }) => [index, plu])).toEqual(lines.map(({ plu }, i) => [i, plu]));
      for (const part of discount.lines) expect(part.amount).toBeGreaterThanOrEqual(0);
      expect(sum(discount.lines.map((part) => BigInt(part.amount)))).toBe(BigInt(discount.amount));
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
      if (isForItems(terms.unit)) return;
      expect(priced(terms, { amount: bill.amount })?.amount).toBe(priced(terms, bill)?.amount);
    }),
    { numRuns: 1_000 },
  );
});
