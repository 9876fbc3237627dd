import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Order } from '@/server/domain/qr-ordering';
import { keepBill, keepOrder, savedBills } from './keep-bill';
import { forgetBill, readBill } from './read-bill';

let storage: Map<string, string>;
beforeEach(() => {
  storage = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  savedBills.clear();
});

const merchant = {
  name: 'Kopi & Kaya',
  currency: 'SGD',
  country: 'SG',
  locale: 'en-SG',
  timeZone: 'Asia/Singapore',
  logoId: null,
  accentColour: null,
  welcome: null,
};
const store = { name: 'Orchard', address: '', phone: '' };
const about = { merchant, store, priceNote: { text: null, subtotal: null } };
const order = (orderId: string): Order => ({
  orderId,
  number: 1,
  qrCodeId: 'code',
  billId: 'B-1',
  table: null,
  status: 'placed',
  total: 180,
  note: '',
  guestName: null,
  lines: [],
  placedAt: '2026-11-20T12:00:00Z',
  updatedAt: '2026-11-20T12:00:00Z',
});

test('a phone keeps what it saw of a table, in the next page as well', () => {
  keepBill('one', { ...about, orders: [order('first')] });
  const kept = { ...about, orders: [order('first')], seenAt: expect.any(Number) };
  expect(readBill('one')).toEqual(kept);
  savedBills.clear();
  expect(readBill('one')).toEqual(kept);
  expect(readBill('two')).toBeNull();
});

test('an order that was placed just before the table closed is on it, once', () => {
  keepBill('one', { ...about, orders: [order('first')] });
  keepOrder('one', order('second'));
  keepOrder('one', order('second'));
  keepOrder('two', order('third'));
  expect(readBill('one')?.orders.map(({ orderId }) => orderId)).toEqual(['first', 'second']);
  expect(readBill('two')).toBeNull();
});

test('is kept in the page where a browser denies storage, and can be deleted', () => {
  vi.stubGlobal('localStorage', undefined);
  keepBill('one', { ...about, orders: [order('first')] });
  expect(readBill('one')?.orders).toHaveLength(1);
  forgetBill('one');
  expect(readBill('one')).toBeNull();
});

test.each(['', '{}', '[]', '7', 'null', '{"orders":7}', '{"orders":[],"merchant":{}}'])(
  'data that is not a record (%s) is none',
  (saved) => {
    storage.set('bill:one', saved);
    expect(readBill('one')).toBeNull();
  },
);
