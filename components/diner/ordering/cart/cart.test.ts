import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Cart,
  type CartAction,
  type CartLine,
  cartLimits,
  cleanNote,
  emptyCart,
  lineKey,
  reduceCart,
} from './cart';

const line = (plu: string, rest: Partial<CartLine> = {}): CartLine => ({
  plu,
  name: `Item ${plu}`,
  optionIds: [],
  optionNames: [],
  quantity: 1,
  note: '',
  unitPrice: 500,
  ...rest,
});
const cartOf = (...actions: CartAction[]): Cart => actions.reduce(reduceCart, emptyCart);
const add = (one: CartLine): CartAction => ({ type: 'add', line: one });
const freeze = (clientOrderId: string, ...lines: CartLine[]): CartAction => ({
  type: 'freeze',
  clientOrderId,
  keys: lines.map(lineKey),
  askedAt: 1,
});

test('the same dish with the same options and note is one line, whatever the order of the options', () => {
  const cart = cartOf(
    add(line('A', { optionIds: ['x', 'y'], quantity: 2 })),
    add(line('A', { optionIds: ['y', 'x'], unitPrice: 600 })),
    add(line('A', { optionIds: ['x'] })),
    add(line('A', { optionIds: ['x'], note: 'hot' })),
  );
  expect(cart.lines.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
    [3, 600],
    [1, 500],
    [1, 500],
  ]);
});

test('a changed line keeps its place, and merges with an equal line', () => {
  const [a, b] = [line('A'), line('B')];
  const cart = cartOf(add(a), add(b), { type: 'replace', key: lineKey(a), line: line('A', { note: 'hot' }) });
  expect(cart.lines.map(({ plu, note }) => [plu, note])).toEqual([
    ['A', 'hot'],
    ['B', ''],
  ]);
  const merged = reduceCart(reduceCart(cart, add(a)), {
    type: 'replace',
    key: lineKey(a),
    line: line('A', { note: 'hot', quantity: 4 }),
  });
  expect(merged.lines.map(({ plu, quantity }) => [plu, quantity])).toEqual([
    ['A', 5],
    ['B', 1],
  ]);
});

test('a line of quantity 0 is removed, and no line exceeds an order’s limit', () => {
  const a = line('A');
  expect(cartOf(add(a), { type: 'setQuantity', key: lineKey(a), quantity: 0 }).lines).toEqual([]);
  expect(cartOf(add(line('A', { quantity: 60 })), add(line('A', { quantity: 60 }))).lines[0]?.quantity).toBe(99);
});

test('a cart takes as many lines as an order, and when full only more of existing ones', () => {
  const full = cartOf(...Array.from({ length: cartLimits.lines }, (_, n) => add(line(`P${n}`))));
  expect(full.lines).toHaveLength(cartLimits.lines);
  expect(reduceCart(full, add(line('one more'))).lines).toEqual(full.lines);
  expect(reduceCart(full, add(line('P0'))).lines[0]?.quantity).toBe(2);
});

test('an order takes the selected lines and the note; a second one waits for its outcome', () => {
  const [a, b, c] = [line('A'), line('B'), line('C')];
  const first = cartOf(add(a), add(b), { type: 'setNote', note: 'soup first' }, freeze('one', a));
  expect(first).toEqual({
    lines: [b],
    note: '',
    pending: { clientOrderId: 'one', lines: [a], note: 'soup first', askedAt: 1, isUnsent: true },
  });
  expect(reduceCart(first, freeze('two', b))).toBe(first);
  expect(reduceCart(first, { type: 'placed', clientOrderId: 'two' })).toBe(first);
  const placed = [add(c), { type: 'placed', clientOrderId: 'one' } as const].reduce(reduceCart, first);
  expect(placed).toEqual({ lines: [b, c], note: '', pending: null });
});

test('a held order that the diner still wants gets a new time, and otherwise returns to the cart', () => {
  const [a, b] = [line('A'), line('B')];
  const cart = cartOf(add(a), add(b), freeze('one', a));
  const wanted = reduceCart(cart, { type: 'askAgain', clientOrderId: 'one', askedAt: 2 });
  expect(wanted).toEqual({ ...cart, pending: { ...cart.pending, askedAt: 2 } });
  expect(reduceCart(cart, { type: 'askAgain', clientOrderId: 'two', askedAt: 2 })).toBe(cart);
  expect(reduceCart(cart, { type: 'withdraw', clientOrderId: 'two' })).toBe(cart);
  expect(reduceCart(cart, { type: 'withdraw', clientOrderId: 'one' })).toEqual({
    lines: [a, b],
    note: '',
    pending: null,
  });
});

test('an order is unsent until it is first sent, and stays the same otherwise', () => {
  const cart = cartOf(add(line('A')), freeze('one', line('A')));
  const sent = reduceCart(cart, { type: 'sent', clientOrderId: 'one' });
  expect(sent).toEqual({ ...cart, pending: { ...cart.pending, isUnsent: false } });
  expect(reduceCart(sent, { type: 'sent', clientOrderId: 'one' })).toBe(sent);
  expect(reduceCart(cart, { type: 'sent', clientOrderId: 'two' })).toBe(cart);
});

test('the lines of a rejected order return before later ones', () => {
  const [a, b] = [line('A'), line('B')];
  const cart = cartOf(
    add(a),
    { type: 'setNote', note: 'soup first' },
    freeze('one', a),
    add(b),
    add(a),
    { type: 'setNote', note: 'and quick' },
    { type: 'refused', clientOrderId: 'one' },
  );
  expect(cart.lines.map(({ plu, quantity }) => [plu, quantity])).toEqual([
    ['A', 2],
    ['B', 1],
  ]);
  expect(cart.note).toBe('soup first · and quick');
  expect(cart.pending).toBeNull();
});

test('without lines there is no order', () => {
  const cart = cartOf(add(line('A')));
  expect(reduceCart(cart, { type: 'freeze', clientOrderId: 'one', keys: ['gone'], askedAt: 1 })).toBe(cart);
});

test('a note has no half emoji and no control character', () => {
  expect(cleanNote('ab😀', 3)).toBe('ab');
  expect(cleanNote('a\u0000b\nc\td\u007f', 10)).toBe('ab\nc\td');
});

const anyLine = fc.record({
  plu: fc.constantFrom('A', 'B', 'C'),
  optionIds: fc.subarray(['x', 'y']),
  note: fc.constantFrom('', 'hot'),
  quantity: fc.integer({ min: 1, max: 9 }),
  unitPrice: fc.integer({ min: 0, max: 900 }),
});
const anyAction = fc.oneof(
  anyLine.map((one): CartAction => add(line(one.plu, one))),
  anyLine.map((one): CartAction => ({ type: 'setQuantity', key: lineKey(one), quantity: one.quantity - 1 })),
  fc
    .tuple(anyLine, anyLine)
    .map(([old, one]): CartAction => ({ type: 'replace', key: lineKey(old), line: line(one.plu, one) })),
  fc
    .tuple(fc.constantFrom('one', 'two'), fc.array(anyLine))
    .map(([id, lines]): CartAction => freeze(id, ...lines.map((one) => line(one.plu, one)))),
  fc
    .tuple(fc.constantFrom('placed', 'refused', 'withdraw'), fc.constantFrom('one', 'two'))
    .map(([type, clientOrderId]): CartAction => ({ type, clientOrderId }) as CartAction),
);

test('whatever happens, each line is unique, with a valid quantity, and a frozen order is unchanged', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 40 }), (actions) => {
      let cart = emptyCart;
      for (const action of actions) {
        const { pending } = cart;
        cart = reduceCart(cart, action);
        const keys = cart.lines.map(lineKey);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { quantity } of cart.lines) {
          expect(quantity).toBeGreaterThanOrEqual(1);
          expect(quantity).toBeLessThanOrEqual(cartLimits.quantity);
        }
        if (pending && cart.pending) expect(cart.pending).toEqual(pending);
      }
    }),
  );
});

test('an order and its rejection lose no dish', () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 1, maxLength: 8 }),
      fc.array(anyLine, { maxLength: 4 }),
      (first, since) => {
        const count = ({ lines }: Cart) => lines.reduce((sum, { quantity }) => sum + quantity, 0);
        const start = cartOf(...first.map((one) => add(line(one.plu, one))));
        const later = since.map((one) => add(line(one.plu, one)));
        const refused = [
          freeze('one', ...start.lines),
          ...later,
          { type: 'refused', clientOrderId: 'one' } as const,
        ].reduce(reduceCart, start);
        expect(count(refused)).toBe(count(start) + since.reduce((sum, { quantity }) => sum + quantity, 0));
      },
    ),
  );
});
