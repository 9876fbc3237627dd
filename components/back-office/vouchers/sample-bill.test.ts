import { expect, test } from 'vitest';
import type { VoucherTerms } from '@/server/domain/kernel/voucher-pricing';
import { sampleBill } from './sample-bill';

const item = (plu: string, price: number) => ({ plu, name: plu, price });
const menu = [item('A', 1_000), item('B', 500), item('C', 250), item('D', 100)];
const terms = (rest: Partial<VoucherTerms> = {}) =>
  ({
    unit: 'BillDollarValue',
    value: 300,
    plus: [],
    minSpend: 0,
    maxDiscount: null,
    maxUnits: 1,
    stackable: false,
    ...rest,
  }) as VoucherTerms;
const halfOfA: Partial<VoucherTerms> = { unit: 'ItemDollarPercentage', value: 5_000, plus: ['A'] };
const quantities = ({ lines }: ReturnType<typeof sampleBill>) => lines.map(({ plu, quantity }) => `${quantity} ${plu}`);

test('a bill has three items, two of the first, and the voucher’s discount', () => {
  const bill = sampleBill(terms(), [], menu, 'SGD');
  expect(quantities(bill)).toEqual(['2 A', '1 B', '1 C']);
  expect([bill.amount, bill.discount]).toEqual([2_750, 300]);
  expect(bill.lines.reduce((sum, { discount }) => sum + discount, 0)).toBe(300);
});

test.each([
  [2_750, 1],
  [2_751, 2],
  [5_500, 2],
  [5_501, 3],
])('a bill for a least spend of %i is %i times as large, and just large enough', (minSpend, times) => {
  const { amount, discount } = sampleBill(terms({ minSpend }), [], menu, 'SGD');
  expect([amount, discount]).toEqual([times * 2_750, 300]);
});

test.each<[string, Partial<VoucherTerms>, number, number]>([
  ['10% up to 5.00', { unit: 'BillDollarPercentage', value: 1_000, maxDiscount: 500 }, 5_500, 500],
  ['50% up to 5.00', { unit: 'BillDollarPercentage', value: 5_000, maxDiscount: 500 }, 2_750, 500],
  ['30.00 off', { value: 3_000 }, 5_500, 3_000],
  ['half of up to 50 A, up to 20.00', { ...halfOfA, maxUnits: 50, maxDiscount: 2_000 }, 8_250, 2_000],
  ['half of one A, up to 20.00, which is never reached', { ...halfOfA, maxDiscount: 2_000 }, 2_750, 500],
])('a bill for %s is large enough to show all of it', (_, rest, amount, discount) => {
  const bill = sampleBill(terms(rest), rest.plus ? [item('A', 1_000)] : [], menu, 'SGD');
  expect([bill.amount, bill.discount]).toEqual([amount, discount]);
});

test('the voucher’s items come first; the menu’s copies of them and free items are skipped', () => {
  const plus = ['C', 'D'];
  const bill = sampleBill(terms({ plus }), [item('C', 250)], [item('Free', 0), ...menu], 'SGD');
  expect(quantities(bill)).toEqual(['2 C', '1 A', '1 B']);
});

test('without items, or with a draft that gives no discount, there is no discount', () => {
  expect(sampleBill(terms({ value: 0 }), [], menu, 'SGD').discount).toBeNull();
  expect(sampleBill(terms({ minSpend: 500 }), [], [], 'SGD')).toEqual({ lines: [], amount: 0, discount: null });
});
