/** What a phone remembers of its orders at a merchant, to order it again. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { CartLine } from './cart';
import { keepOrdered, readOrdered } from './ordered-before';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
});

const line = (plu: string, rest: Partial<CartLine> = {}): CartLine => ({
  plu,
  name: plu,
  optionNames: [],
  optionIds: [],
  quantity: 1,
  note: '',
  unitPrice: 100,
  ...rest,
});
const plusOf = (merchantId: string) => readOrdered(merchantId).map(({ plu }) => plu);

test('the newest come first, each once, and of this merchant only', () => {
  keepOrdered('kopi', [line('A'), line('B')]);
  keepOrdered('kopi', [line('C'), line('A', { unitPrice: 120 })]);
  keepOrdered('other', [line('D')]);
  expect(plusOf('kopi')).toEqual(['C', 'A', 'B']);
  expect(readOrdered('kopi')[1]?.unitPrice).toBe(120);
});

test('other options are another line; twelve are kept', () => {
  keepOrdered('kopi', [line('A'), line('A', { optionIds: ['large'] })]);
  expect(plusOf('kopi')).toHaveLength(2);
  keepOrdered(
    'kopi',
    Array.from({ length: 12 }, (_, at) => line(`N${at}`)),
  );
  expect(plusOf('kopi')).toHaveLength(12);
  expect(plusOf('kopi')).not.toContain('A');
});

test('notes are not kept', () => {
  keepOrdered('kopi', [line('A', { note: 'allergic to nuts' }), line('A')]);
  expect(readOrdered('kopi')).toEqual([line('A')]);
  expect([...storage.values()].join()).not.toContain('nuts');
});

test('what was not ordered again for 90 days is forgotten', () => {
  vi.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z') });
  keepOrdered('kopi', [line('A'), line('B')]);
  vi.setSystemTime(new Date('2027-01-26T12:00:00Z'));
  keepOrdered('kopi', [line('B')]);
  vi.setSystemTime(new Date('2027-02-24T12:00:01Z'));
  expect(plusOf('kopi')).toEqual(['B']);
  keepOrdered('kopi', [line('C')]);
  expect(storage.get('ordered:kopi')).not.toContain('"plu":"A"');
  vi.useRealTimers();
});

test.each(['', '7', 'null', '{}', '[{}]', '["A"]'])('data that is no record (%s) is none', (saved) => {
  storage.set('ordered:kopi', saved);
  expect(readOrdered('kopi')).toEqual([]);
});

test('without storage nothing is kept', () => {
  vi.stubGlobal('localStorage', undefined);
  keepOrdered('kopi', [line('A')]);
  expect(readOrdered('kopi')).toEqual([]);
});
