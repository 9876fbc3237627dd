import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetBill } from '../cart/read-bill';
import { forgetPayment, keepPayment, readPayment } from '../paying';
import { exampleBill } from './example-bill';
import type { BillTable } from './record';

const table: BillTable = {
  merchantId: 'merchant',
  merchant: {
    name: 'Kopi & Kaya',
    currency: 'SGD',
    country: 'SG',
    locale: 'en-SG',
    timeZone: 'Asia/Singapore',
    logoId: null,
    accentColour: null,
    welcome: null,
  },
  store: { name: 'Orchard', address: '', phone: '' },
  table: '14',
  taxRules: {
    taxName: 'GST',
    taxBasisPoints: 900,
    taxIncluded: false,
    serviceBasisPoints: 1_000,
    serviceIncluded: false,
  },
};

let storage: Map<string, string>;
beforeEach(() => {
  vi.resetModules();
  storage = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());
/** Loads it like a new page. */
const load = () => import('./record');

test('a phone keeps the bill that it last saw, in the next page as well, until the table is forgotten', async () => {
  (await load()).keepRecord('one', exampleBill({ due: 100 }), table);
  vi.resetModules();
  const { readRecord } = await load();
  expect(readRecord('one')).toEqual({ bill: exampleBill({ due: 100 }), table, seenAt: expect.any(Number) });
  expect(readRecord('two')).toBeNull();
  keepPayment('one', 'payment');
  forgetBill('one');
  expect([...storage.keys()]).toEqual([]);
});

test.each(['', '{}', '7', '{"table":{"merchant":{"currency":"SGD"}},"bill":{}}'])('%j is no record', async (text) => {
  storage.set('bill:seen:one', text);
  expect((await load()).readRecord('one')).toBeNull();
});

test('a payment that was begun is known after the return from another page, until its outcome is', () => {
  expect(readPayment('one')).toBeNull();
  keepPayment('one', 'payment');
  expect(readPayment('one')).toBe('payment');
  expect(readPayment('two')).toBeNull();
  forgetPayment('one');
  expect(readPayment('one')).toBeNull();
  storage.set('bill:paying:one', 'nothing');
  expect(readPayment('one')).toBeNull();
});
