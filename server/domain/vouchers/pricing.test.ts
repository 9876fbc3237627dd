/** Each discount type, with examples calculated by hand. `pricing-properties.test.ts` compares it with an oracle. */
import { describe, expect, test } from 'vitest';
import { type Example, kopi, type Line, N, noodles, pricingExamples } from '@/server/testing/pricing-examples';
import { type VoucherUnit, voucherUnitNames } from '../kernel/voucher-units';
import { priceVoucher, type VoucherTerms } from './pricing';
import type { BillLine } from './schemas';

const toLines = (lines: Line[]): BillLine[] =>
  lines.map(([plu, quantity, unitPrice]) => ({ plu, quantity, unitPrice }));

function price(unit: VoucherUnit, terms: Partial<VoucherTerms>, amount: number, lines?: Line[]) {
  const defaults = { unit, value: 500, plus: [], minSpend: 0, maxDiscount: null, maxUnits: 1 };
  return priceVoucher({ ...defaults, ...terms }, { amount, ...(lines && { lines: toLines(lines) }) }, 'SGD');
}

const check = (unit: VoucherUnit) => (example: Example) => {
  const { terms, bill, lines, amount, parts = [] } = example;
  const expected = parts.map((part, index) => ({ index, plu: lines?.[index]?.[0], amount: part }));
  expect(price(unit, terms, bill, lines)).toEqual({ amount, lines: expected });
};

describe.each(voucherUnitNames)('%s', (unit) => {
  const examples = pricingExamples[unit];
  test.each(examples)('$sum', check(unit));
  test('there are ten examples', () => expect(examples).toHaveLength(10));
});

describe('refused', () => {
  test('below the minimum spend, with both amounts', () => {
    expect(() => price('BillDollarValue', { minSpend: 5001 }, 5000)).toThrow(
      expect.objectContaining({
        code: 'minimum_spend_not_met',
        message: 'This voucher is for bills of 50.01 SGD or more; this one is 50.00 SGD.',
        details: { minSpend: 5001, billAmount: 5000 },
      }),
    );
    expect(price('BillDollarValue', { minSpend: 5000 }, 5000).amount).toBe(500);
  });

  test('an item voucher without lines', () => {
    for (const unit of ['ItemDollarValue', 'ItemDollarPercentage'] as const) {
      expect(() => price(unit, N, 5000)).toThrow(
        expect.objectContaining({ code: 'bill_lines_required', kind: 'invalid' }),
      );
    }
  });

  test('a discount of zero', () => {
    const notApplicable = expect.objectContaining({ code: 'voucher_not_applicable' });
    expect(() => price('ItemDollarValue', N, 180, [kopi(1)])).toThrow(notApplicable);
    expect(() => price('ItemDollarPercentage', N, 180, [noodles(1, 0), kopi(1)])).toThrow(notApplicable);
    expect(() => price('BillDollarPercentage', { value: 1 }, 4999)).toThrow(notApplicable);
    expect(price('BillDollarPercentage', { value: 1 }, 5000).amount).toBe(1);
  });
});

test('a unit that a later release added is not priced as another one', () => {
  expect(() => price('BillOfTheFuture' as VoucherUnit, {}, 5000)).toThrow();
  expect(() => price('ItemOfTheFuture' as VoucherUnit, N, 890, [noodles(1)])).toThrow();
});
