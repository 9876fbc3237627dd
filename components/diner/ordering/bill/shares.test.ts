import { expect, test } from 'vitest';
import { exampleBill } from './example-bill';
import { equalShare, linesShare, type PaymentForm, paidUnitsOf, sumsOf } from './shares';

const line = (plu: string, quantity: number, amount: number) => ({ plu, name: plu, quantity, unitPrice: 0, amount });

const inCurrency = (currency: string) => ({ currency, tipPercentages: [10, 15] });

test('equal shares stay the same while others pay, and the last one pays what is left', () => {
  let [paid, parts] = [0, [] as number[]];
  for (const _ of [1, 2, 3]) {
    const due = 1_000 - paid;
    const part = equalShare({ due, paid, paidAtTill: [], available: due }, 3, 1);
    parts = [...parts, part];
    paid += part;
  }
  expect(parts).toEqual([334, 334, 332]);
  expect(equalShare({ due: 1_000, paid: 0, paidAtTill: [], available: 100 }, 2, 1)).toBe(100);
});

test('chosen units have their part of tax and service, and all of them are the bill', () => {
  const open = exampleBill();
  expect(linesShare(open, [1, 0])).toBe(800);
  expect(linesShare(open, [0, 1])).toBe(600);
  expect(linesShare(open, [3, 1])).toBe(3_000);
  expect(linesShare(open, [0, 0])).toBe(0);
  // Each choice and the remaining units add up to the bill.
  expect(linesShare(exampleBill({ total: 1_001, due: 1_001, available: 1_001 }), [3, 1])).toBe(1_001);
  // A weighed item is one unit.
  const weighed = exampleBill({ lines: [line('FISH', 0.35, 900)], total: 990, due: 990, available: 990 });
  expect(linesShare(weighed, [1])).toBe(990);
  expect(linesShare(exampleBill({ available: 500 }), [3, 0])).toBe(500);
});

test('what the till has taken leaves an equal share and a dish as they are, and its items can’t be chosen', () => {
  const paidAtTill = [{ amount: 1_000, lines: [{ plu: 'LAKSA', quantity: 1 }] }];
  const open = exampleBill({ paidAtTill, due: 2_000, available: 2_000 });
  expect(equalShare(open, 3, 1)).toBe(1_000);
  expect(linesShare(open, [0, 1])).toBe(600);
  expect(paidUnitsOf(open)).toEqual([1, 0]);
});

test('an item that was struck out by a line below zero is in no share', () => {
  const struckOut = exampleBill({
    lines: [line('LAKSA', 2, 2_000), line('TEH', 1, 500), line('LAKSA', -1, -1_000), line('DEPOSIT', -1, -100)],
    total: 1_500,
  });
  expect(linesShare(struckOut, [1, 0, 0, 0])).toBe(1_000);
  expect(linesShare(struckOut, [0, 1, 0, 0])).toBe(500);
});

test.each<[Partial<PaymentForm>, { amount: number | null; tip: number | null }]>([
  [{}, { amount: 3_000, tip: 0 }],
  [{ tip: 10 }, { amount: 3_000, tip: 300 }],
  [
    { share: 'equal', payers: 4, tip: 15 },
    { amount: 750, tip: 112 },
  ],
  [
    { share: 'lines', units: [0, 0] },
    { amount: null, tip: 0 },
  ],
  [
    { share: 'amount', amount: '12.50' },
    { amount: 1_250, tip: 0 },
  ],
  [
    { share: 'amount', amount: '30.01' },
    { amount: null, tip: 0 },
  ],
  [
    { share: 'amount', amount: '' },
    { amount: null, tip: 0 },
  ],
  [
    { share: 'amount', amount: 'a lot' },
    { amount: null, tip: 0 },
  ],
  [
    { share: 'amount', amount: '-5' },
    { amount: null, tip: 0 },
  ],
  [
    { tip: 'other', tipAmount: '2' },
    { amount: 3_000, tip: 200 },
  ],
  [
    { tip: 'other', tipAmount: '' },
    { amount: 3_000, tip: 0 },
  ],
  [
    { tip: 'other', tipAmount: '-1' },
    { amount: 3_000, tip: null },
  ],
  [
    { tip: 'other', tipAmount: '30.01' },
    { amount: 3_000, tip: null },
  ],
])('%j is %j', (chosen, sums) => {
  const form: PaymentForm = { share: 'all', payers: 2, units: [], amount: '', tip: 0, tipAmount: '', ...chosen };
  expect(sumsOf(exampleBill(), form, inCurrency('SGD'))).toEqual(sums);
});

test('a share by card has two decimals, also in a currency with three', () => {
  const form: PaymentForm = { share: 'equal', payers: 3, units: [], amount: '', tip: 10, tipAmount: '' };
  const open = exampleBill({ total: 10_005, due: 10_005, available: 10_005 });
  const dinars = inCurrency('KWD');
  expect(sumsOf(open, form, dinars)).toEqual({ amount: 3_340, tip: 330 });
  // On the table's bill, at most the remainder below the cards' smallest amount is left.
  const last = sumsOf({ ...open, due: 3_325, paid: 6_680, available: 3_325 }, form, dinars);
  expect(last.amount).toBe(3_320);
  expect(sumsOf(open, { ...form, share: 'all', tip: 0 }, dinars)).toEqual({ amount: 10_000, tip: 0 });
  expect(sumsOf(open, { ...form, share: 'amount', amount: '1.259', tip: 0 }, dinars)).toEqual({
    amount: 1_250,
    tip: 0,
  });
  expect(sumsOf(open, form, inCurrency('JPY'))).toEqual({ amount: 3_335, tip: 333 });
});
