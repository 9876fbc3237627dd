import { expect, test } from 'vitest';
import type { StoreOrder } from '@/server/domain/qr-ordering';
import { atStation } from './at-station';

const orderOf = (orderId: string, ...plus: string[]) =>
  ({ orderId, lines: plus.map((plu) => ({ plu, quantity: 2 })) }) as StoreOrder;
const orders = [orderOf('a', 'BEER', 'LAKSA'), orderOf('b', 'LAKSA'), orderOf('c', 'BEER', 'NEW')];
const ofItem = { BEER: 'Bar', LAKSA: 'Kitchen' };
const shown = (station: string | null) =>
  atStation(orders, station, { ofItem }).map(({ orderId, lines, otherItems }) => [
    orderId,
    lines.map(({ plu }) => plu).join(),
    otherItems,
  ]);

test('a station sees the orders with something for it, and how much of them others make', () => {
  expect(shown('Bar')).toEqual([
    ['a', 'BEER', 2],
    ['c', 'BEER', 2],
  ]);
  expect(shown('Kitchen')).toEqual([
    ['a', 'LAKSA', 2],
    ['b', 'LAKSA', 0],
  ]);
});

test('without a station, all orders are whole, also with items that are on no menu', () => {
  expect(shown(null).map(([orderId, lines]) => [orderId, lines])).toEqual([
    ['a', 'BEER,LAKSA'],
    ['b', 'LAKSA'],
    ['c', 'BEER,NEW'],
  ]);
});
