import { expect, test } from 'vitest';
import { cardLimits } from '@/server/domain/kernel/card-currencies';
import { exampleBill } from './example-bill';
import { equalShare, linesShare, type PaymentForm, paidUnitsOf, sumsOf, tipOf, tooLittleLeft } from './shares';

const line = (plu: string, quantity: number, amount: number) => ({ plu, name: plu, quantity, unitPrice: 0, amount });

const currencies = ['SGD', 'JPY', 'KWD', 'IDR', 'ISK', 'MGA', 'HUF', 'MYR', 'IQD'];
const dollars = cardLimits('SGD');
const inCurrency = (currency: string) => ({ currency, tipPercentages: [10, 15] });

test('equal shares stay the same while others pay, and the last one pays what is left', () => {
  let [paid, parts] = [0, [] as number[]];
  for (const _ of [1, 2, 3]) {
    const due = 1_000 - paid;
    const part = equalShare({ due, paid, paidAtTill: [], available: due }, 3, dollars);
    parts = [...parts, part];
    paid += part;
  }
  expect(parts).toEqual([334, 334, 332]);
  expect(equalShare({ due: 1_000, paid: 0, paidAtTill: [], available: 100 }, 2, dollars)).toBe(100);
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
  expect(equalShare(open, 3, dollars)).toBe(1_000);
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
  expect(sumsOf(exampleBill(), form, inCurrency('SGD'))).toEqual({ ...sums, rounding: 0 });
});

test('a share by card has two decimals in a currency with three, and the last one pays all, rounded up', () => {
  const form: PaymentForm = { share: 'equal', payers: 3, units: [], amount: '', tip: 10, tipAmount: '' };
  const open = exampleBill({ total: 10_005, due: 10_005, available: 10_005 });
  const dinars = inCurrency('KWD');
  expect(sumsOf(open, form, dinars)).toEqual({ amount: 3_340, tip: 330, rounding: 0 });
  const last = { ...open, due: 3_325, paid: 6_680, available: 3_325 };
  expect(sumsOf(last, form, dinars)).toEqual({ amount: 3_325, tip: 330, rounding: 5 });
  expect(sumsOf(open, { ...form, share: 'all', tip: 0 }, dinars)).toEqual({ amount: 10_005, tip: 0, rounding: 5 });
  expect(sumsOf(open, { ...form, share: 'amount', amount: '1.259', tip: 0 }, dinars)).toEqual({
    amount: 1_250,
    tip: 0,
    rounding: 0,
  });
  expect(sumsOf(open, form, inCurrency('JPY'))).toEqual({ amount: 3_335, tip: 333, rounding: 0 });
});

test.each(currencies)('equal shares of a bill in %s pay all of it, each as cards take it', (currency) => {
  const { step, minimum } = cardLimits(currency);
  for (const total of [7 * minimum, 10 * minimum + 1, 12 * minimum + 7, 31 * minimum - 3]) {
    for (const payers of [2, 3, 4]) {
      let paid = 0;
      for (let turn = 0; paid < total; turn++) {
        expect(turn).toBeLessThan(payers + 1);
        const due = total - paid;
        const form: PaymentForm = { share: 'equal', payers, units: [], amount: '', tip: 10, tipAmount: '' };
        const { amount, tip, rounding } = sumsOf(
          exampleBill({ total, due, paid, available: due }),
          form,
          inCurrency(currency),
        );
        const charged = (amount ?? 0) + (tip ?? 0) + rounding;
        expect(charged % step).toBe(0);
        expect(charged).toBeGreaterThanOrEqual(minimum);
        expect(rounding).toBeLessThan(step);
        paid += amount ?? total;
      }
      expect(paid).toBe(total);
    }
  }
});

test('a rest that is too little for cards goes to who pays an equal share, and is said to who pays an amount', () => {
  const form: PaymentForm = { share: 'equal', payers: 2, units: [], amount: '', tip: 0, tipAmount: '' };
  const open = exampleBill({ total: 1_000, due: 520, paid: 480, available: 520 });
  expect(sumsOf(open, form, inCurrency('SGD'))).toMatchObject({ amount: 520 });
  expect(sumsOf(open, { ...form, share: 'amount', amount: '5.00' }, inCurrency('SGD'))).toMatchObject({ amount: 500 });
  expect(tooLittleLeft(open, 500, 'SGD')).toBe(20);
  expect(tooLittleLeft(open, 470, 'SGD')).toBe(0);
  expect(tooLittleLeft(open, 520, 'SGD')).toBe(0);
  expect(sumsOf(open, { ...form, share: 'amount', amount: '0.49' }, inCurrency('SGD'))).toMatchObject({ amount: null });
  expect(sumsOf({ ...open, available: 20 }, { ...form, share: 'all' }, inCurrency('SGD'))).toMatchObject({
    amount: null,
  });
});

test('the tip on its button is the tip that is charged', () => {
  for (const currency of currencies) {
    const form: PaymentForm = { share: 'all', payers: 2, units: [], amount: '', tip: 15, tipAmount: '' };
    const open = exampleBill({ total: 123_450, due: 123_450, available: 123_450 });
    expect(sumsOf(open, form, inCurrency(currency)).tip).toBe(tipOf(123_450, 15, currency));
  }
  expect(tipOf(3_325, 10, 'KWD')).toBe(330);
});
