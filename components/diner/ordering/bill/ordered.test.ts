import { expect, test } from 'vitest';
import { compareWithOrders } from './ordered';

const line = (plu: string, quantity: number) => ({ plu, name: plu, quantity, unitPrice: 0, amount: 0 });
const item = (plu: string, quantity: number, onBillBefore: number | null = 0) => ({
  plu,
  quantity,
  unitPrice: 500,
  onBillBefore,
});
const order = (
  lines: ReturnType<typeof item>[],
  rest: { isMine?: boolean; status?: string; minute?: number } = {},
) => ({
  status: rest.status ?? 'placed',
  isMine: rest.isMine ?? true,
  placedAt: `2026-11-27T04:${String(rest.minute ?? 30).padStart(2, '0')}:00.000Z`,
  lines,
});
const sentAt = '2026-11-27T04:00:00.000Z';
const later = '2026-11-27T04:45:00.000Z';

test('what was on the bill before an order is nobody’s, and the order is not on the bill yet', () => {
  const lines = [line('LAKSA', 2), line('KOPI', 1)];
  const orders = [order([item('LAKSA', 1, 2), item('KOPI', 1, 1)])];
  expect(compareWithOrders({ lines, sentAt }, orders)).toEqual({
    mine: [0, 0],
    missing: { orders: 1, amount: 1_000 },
  });
  const sent = [...lines, line('LAKSA', 1), line('KOPI', 1)];
  expect(compareWithOrders({ lines: sent, sentAt: later }, orders)).toEqual({
    mine: [0, 0, 1, 1],
    missing: { orders: 0, amount: 0 },
  });
});

test('a line that the till has raised is partly this phone’s', () => {
  const orders = [order([item('LAKSA', 2, 1)])];
  expect(compareWithOrders({ lines: [line('LAKSA', 3)], sentAt: later }, orders).mine).toEqual([2]);
});

test('each unit is of one order, the oldest first, and others’ units are not this phone’s', () => {
  const orders = [
    order([item('KOPI', 1)], { isMine: false }),
    order([item('KOPI', 2)]),
    order([item('KOPI', 1)], { status: 'cancelled' }),
    order([item('KOPI', 1, 2)], { isMine: false }),
  ];
  expect(compareWithOrders({ lines: [line('KOPI', 1), line('KOPI', 1)], sentAt: later }, orders)).toEqual({
    mine: [0, 1],
    // A kopi of the second order, and the last order.
    missing: { orders: 2, amount: 1_000 },
  });
});

test('an order that was put on the bill before the next one is not taken for it', () => {
  const orders = [order([item('KOPI', 1)], { isMine: false }), order([item('KOPI', 1, 1)], { minute: 50 })];
  expect(compareWithOrders({ lines: [line('KOPI', 1)], sentAt: later }, orders)).toEqual({
    mine: [0],
    missing: { orders: 1, amount: 500 },
  });
});

test.each([
  ['placed', later, 1],
  ['accepted', later, 0],
  ['served', later, 0],
  ['accepted', sentAt, 1],
] as const)(
  'an order that is %s, and whose dish is on no line of the bill of %s, is missing: %d',
  (status, at, count) => {
    const orders = [order([item('LAKSA', 1)], { status })];
    expect(compareWithOrders({ lines: [line('OTHER', 1)], sentAt: at }, orders).missing.orders).toBe(count);
  },
);

test('an item that was struck out is no order’s', () => {
  const orders = [order([item('LAKSA', 2)])];
  const lines = [line('LAKSA', 2), line('LAKSA', -1)];
  expect(compareWithOrders({ lines, sentAt }, orders)).toEqual({ mine: [1, 0], missing: { orders: 1, amount: 500 } });
});
