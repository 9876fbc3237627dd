/** Each discount type, with examples calculated by hand. `voucher-pricing-properties.test.ts` compares it with an oracle. */
import { describe, expect, test } from 'vitest';
import { type Example, kopi, type Line, N, noodles, pricingExamples } from '@/server/testing/pricing-examples';
import { type BillLine, priceVoucher, type VoucherTerms } from './voucher-pricing';
import { type VoucherUnit, voucherUnitNames } from './voucher-units';

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

describe('what the guest really pays for a line counts', () => {
  const dessert = { plus: ['N001'], maxUnits: 3, value: 5_000, minSpend: 0, maxDiscount: null };
  const priceLines = (terms: VoucherTerms, amount: number, lines: BillLine[]) =>
    priceVoucher(terms, { amount, lines }, 'SGD');

  test('half off a dessert at its happy-hour price takes 125, not 250', () => {
    const lines = [{ plu: 'N001', quantity: 1, unitPrice: 500, amount: 250 }];
    expect(priceLines({ ...dessert, unit: 'ItemDollarPercentage' }, 250, lines).amount).toBe(125);
    expect(priceLines({ ...dessert, unit: 'ItemDollarValue', value: 300 }, 250, lines).amount).toBe(250);
  });

  test('a dish on the house is not discounted', () => {
    const free = { plu: 'N001', quantity: 1, unitPrice: 180, amount: 0 };
    const other = { plu: 'D001', quantity: 1, unitPrice: 900, amount: 900 };
    expect(() => priceLines({ ...dessert, unit: 'ItemDollarValue', value: 180 }, 900, [free, other])).toThrow(
      expect.objectContaining({ code: 'voucher_not_applicable' }),
    );
  });

  test('units at different prices are taken the most expensive first, and parts follow what is paid', () => {
    const lines = [
      { plu: 'N001', quantity: 2, unitPrice: 500, amount: 500 },
      { plu: 'N001', quantity: 1, unitPrice: 400 },
    ];
    expect(priceLines({ ...dessert, unit: 'ItemDollarPercentage', maxUnits: 2 }, 900, lines)).toEqual({
      amount: 325,
      lines: [
        { index: 0, plu: 'N001', amount: 125 },
        { index: 1, plu: 'N001', amount: 200 },
      ],
    });
    expect(
      priceLines({ ...dessert, unit: 'BillDollarValue', value: 90 }, 900, lines).lines.map(({ amount }) => amount),
    ).toEqual([50, 40]);
  });

  test('a line of three for ten is exact', () => {
    const lines = [{ plu: 'N001', quantity: 3, unitPrice: 400, amount: 1_000 }];
    expect(
      priceLines({ ...dessert, unit: 'ItemDollarPercentage', maxUnits: 2, value: 10_000 }, 1_000, lines).amount,
    ).toBe(667);
  });
});

describe('vouchers that were redeemed before have used units', () => {
  const drink: VoucherTerms = {
    unit: 'ItemDollarValue',
    value: 100,
    plus: ['D001'],
    maxUnits: 1,
    minSpend: 0,
    maxDiscount: null,
  };
  const laksa = { plu: 'N001', quantity: 1, unitPrice: 890 };
  const priceAfter = (terms: VoucherTerms, quantity: number, redeemed: VoucherTerms[]) =>
    priceVoucher(terms, { amount: 1_070, lines: [laksa, { plu: 'D001', quantity, unitPrice: 180 }], redeemed }, 'SGD');

  test('the second takes what is left of the drink, and nothing of another dish', () => {
    expect(priceAfter(drink, 1, [drink])).toEqual({
      amount: 80,
      lines: [
        { index: 0, plu: 'N001', amount: 0 },
        { index: 1, plu: 'D001', amount: 80 },
      ],
    });
    expect(() => priceAfter(drink, 1, [drink, drink])).toThrow(
      expect.objectContaining({ code: 'voucher_not_applicable' }),
    );
  });

  test('the second takes the next drink, if there is one', () => {
    expect(priceAfter(drink, 2, [drink]).amount).toBe(100);
    expect(priceAfter(drink, 2, [drink, drink]).amount).toBe(80);
    expect(priceAfter({ ...drink, maxUnits: 2 }, 2, [drink]).amount).toBe(180);
  });

  test('a percentage is of what is left', () => {
    const half: VoucherTerms = { ...drink, unit: 'ItemDollarPercentage', value: 5_000 };
    expect(priceAfter(half, 1, [half]).amount).toBe(45);
    expect(priceAfter(half, 1, [drink]).amount).toBe(40);
    expect(priceAfter(drink, 1, [half]).amount).toBe(90);
  });

  test('a voucher on the bill or on other items uses none', () => {
    expect(
      priceAfter(drink, 1, [
        { ...drink, unit: 'BillDollarValue' },
        { ...drink, plus: ['N001'] },
      ]).amount,
    ).toBe(100);
  });
});

test('a unit that a later release added is not priced as another one', () => {
  expect(() => price('BillOfTheFuture' as VoucherUnit, {}, 5000)).toThrow();
  expect(() => price('ItemOfTheFuture' as VoucherUnit, N, 890, [noodles(1)])).toThrow();
});
