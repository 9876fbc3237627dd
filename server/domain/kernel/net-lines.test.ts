import fc from 'fast-check';
import { expect, test } from 'vitest';
import { netLines } from './net-lines';

const line = (plu: string, quantity: number, amount?: number, unitPrice = 500) => ({
  plu,
  quantity,
  unitPrice,
  amount,
});
const netOf = (...lines: ReturnType<typeof line>[]) =>
  netLines(lines).map(({ quantity, amount }) => [quantity, amount ?? 'as priced']);

test.each([
  ['nothing below zero', [line('A', 2)], [[2, 'as priced']]],
  [
    'one of two',
    [line('A', 2, 1_000), line('A', -1, -500)],
    [
      [1, 500],
      [0, 0],
    ],
  ],
  [
    'all, and other items as they are',
    [line('A', 1), line('B', 1), line('A', -1)],
    [
      [0, 0],
      [1, 'as priced'],
      [0, 0],
    ],
  ],
  [
    'the last first',
    [line('A', 1, 500), line('A', 1, 250), line('A', -1, -250)],
    [
      [1, 500],
      [0, 0],
      [0, 0],
    ],
  ],
  [
    'over two lines',
    [line('A', 1, 500), line('A', 1, 250), line('A', -2, -750)],
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  ],
  [
    'before its line',
    [line('A', -1, -500), line('A', 2, 1_000)],
    [
      [0, 0],
      [1, 500],
    ],
  ],
  [
    'a weight',
    [line('A', 0.75, 900), line('A', -0.25, -300)],
    [
      [0.5, 600],
      [0, 0],
    ],
  ],
  [
    'deposits handed back',
    [line('A', 1, 500), line('BOTTLE', -3, -75)],
    [
      [1, 500],
      [0, 0],
    ],
  ],
])('%s', (_, lines, net) => {
  expect(netOf(...lines)).toEqual(net);
});

test('of items that cost the same, quantity and amount are the sums, and never below zero', () => {
  const counts = fc.array(
    fc.integer({ min: -5, max: 9 }).filter((one) => one !== 0),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 100_000 }), (quantities, price) => {
      const net = netLines(quantities.map((quantity) => line('A', quantity, quantity * price, price)));
      const sum = Math.max(
        0,
        quantities.reduce((all, one) => all + one, 0),
      );
      expect(net.reduce((all, { quantity }) => all + quantity, 0)).toBe(sum);
      expect(net.reduce((all, { amount = 0 }) => all + amount, 0)).toBe(sum * price);
      expect(net.every(({ quantity, amount = 0 }) => quantity >= 0 && amount >= 0)).toBe(true);
    }),
  );
});
