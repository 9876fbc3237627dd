import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CartLine, emptyCart, lineKey } from './cart';
import { openCart, parseCart } from './saved-cart';

const line: CartLine = {
  plu: 'A',
  name: 'Laksa',
  optionIds: [],
  optionNames: [],
  quantity: 1,
  note: '',
  unitPrice: 890,
};

/** Stand-ins for a browser's storage, and its events in other tabs. */
let storage: Record<string, string>;
let isFull: boolean;
beforeEach(() => {
  isFull = false;
  // The methods are inherited, so that its own keys are the stored items.
  storage = Object.create({
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('QuotaExceededError');
      storage[key] = value;
    },
    removeItem: (key: string) => delete storage[key],
  });
  vi.stubGlobal('localStorage', storage);
  const events = new EventTarget();
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  vi.stubGlobal('tellTabs', (key: string | null) =>
    events.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: key && (storage[key] ?? null) })),
  );
});
afterEach(() => vi.unstubAllGlobals());
const tellTabs = (key: string | null) =>
  (globalThis as unknown as { tellTabs(key: string | null): void }).tellTabs(key);

test('a cart outlives the page, separate from those of other tables', () => {
  openCart('one').change({ type: 'add', line });
  expect(openCart('one').read().lines).toEqual([line]);
  expect(openCart('two').read()).toEqual(emptyCart);
});

test('two tabs do not overwrite each other, and each is notified of the other’s changes', () => {
  const [first, second] = [openCart('one'), openCart('one')];
  second.read();
  first.change({ type: 'add', line });
  second.change({ type: 'add', line: { ...line, plu: 'B' } });
  const listener = vi.fn();
  const unfollow = first.follow(listener);
  tellTabs('cart:two');
  expect(listener).not.toHaveBeenCalled();
  tellTabs('cart:one');
  expect(listener).toHaveBeenCalledOnce();
  expect(first.read().lines.map(({ plu }) => plu)).toEqual(['A', 'B']);
  unfollow();
  tellTabs('cart:one');
  expect(listener).toHaveBeenCalledOnce();
});

test('a deleted cart is empty in the other tab as well', () => {
  const [first, second] = [openCart('one'), openCart('one')];
  first.change({ type: 'add', line });
  second.follow(() => {});
  expect(second.read().lines).toHaveLength(1);
  first.forget();
  tellTabs('cart:one');
  expect(second.read()).toEqual(emptyCart);
});

test('opening a table deletes what is kept of others, except pending orders and the orders of a day', () => {
  const order = (token: string, askedAt: number) => {
    openCart(token).change({ type: 'add', line });
    openCart(token).change({ type: 'freeze', clientOrderId: token, keys: [lineKey(line)], askedAt });
  };
  for (const token of ['own', 'other']) openCart(token).change({ type: 'add', line });
  order('waiting', Date.now());
  order('dead', Date.now() - 25 * 60 * 60_000);
  storage['bill:today'] = JSON.stringify({ seenAt: Date.now() });
  storage['bill:before'] = JSON.stringify({ seenAt: Date.now() - 25 * 60 * 60_000 });
  storage['bill:broken'] = '{';
  storage['guest:own'] = 'this phone';
  storage['guest:before'] = 'this phone, elsewhere';
  storage.language = 'en';
  openCart('own').forgetOthers();
  expect(Object.keys(storage).sort()).toEqual(['bill:today', 'cart:own', 'cart:waiting', 'guest:own', 'language']);
});

test('without storage, the cart lasts as long as the page', () => {
  const cart = openCart('one');
  cart.change({ type: 'add', line });
  isFull = true;
  cart.change({ type: 'add', line: { ...line, plu: 'B' } });
  expect(cart.read().lines).toHaveLength(2);
});

test('reading twice returns the same object, so that nothing renders again', () => {
  const cart = openCart('one');
  cart.change({ type: 'add', line });
  expect(cart.read()).toBe(cart.read());
});

test.each([null, '', '{}', '[]', 'null', '{"lines":[{}],"note":"","pending":null}', '{"lines":7,"note":""}'])(
  'data that is not a saved cart (%s) is an empty one',
  (saved) => expect(parseCart(saved)).toEqual(emptyCart),
);

test('an order that is pending is still pending after a reload', () => {
  const cart = { lines: [], note: '', pending: { clientOrderId: 'one', lines: [line], note: 'quick', askedAt: 1 } };
  expect(parseCart(JSON.stringify(cart))).toEqual(cart);
});

test('an order of an earlier version, without a time, counts as old', () => {
  const pending = { clientOrderId: 'one', lines: [line], note: 'quick' };
  const { pending: read } = parseCart(JSON.stringify({ lines: [], note: '', pending }));
  expect(read).toEqual({ ...pending, askedAt: 0 });
});
