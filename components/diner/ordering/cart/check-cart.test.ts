import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CategoryOnOffer, ItemOnOffer, OptionGroupOnOffer } from '@/server/domain/qr-ordering/menu-on-offer';
import type { CartLine } from './cart';
import { checkCart, missingOf, unitPriceOf } from './check-cart';

const option = (id: string, price = 0, isSoldOut = false) => ({
  id,
  name: `Option ${id}`,
  price,
  plu: null,
  allergens: [],
  isSoldOut,
});
const group = (minimum: number, maximum: number, ...options: OptionGroupOnOffer['options']): OptionGroupOnOffer => ({
  id: `g${options[0]?.id}`,
  name: 'Group',
  minimum,
  maximum,
  options,
});
const item = (plu: string, rest: Partial<ItemOnOffer> = {}): ItemOnOffer => ({
  plu,
  name: `Item ${plu}`,
  description: '',
  price: 500,
  allergens: [],
  diets: [],
  photoId: null,
  isSoldOut: false,
  optionGroups: [],
  ...rest,
});
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
const menuOf = (...items: ItemOnOffer[]): CategoryOnOffer[] => [{ id: 'c', name: 'Menu', items }];
const stateOf = (one: CartLine, ...items: ItemOnOffer[]) => checkCart([one], menuOf(...items)).lines[0]?.state;

test('a line is fine while the menu has the dish with its options at its price', () => {
  expect(stateOf(line('A'), item('A'))).toBe('fine');
  expect(stateOf(line('A'), item('B'))).toBe('gone');
  expect(stateOf(line('A'), item('A', { isSoldOut: true, price: 600 }))).toBe('gone');
  expect(stateOf(line('A'), item('A', { price: 600 }))).toBe('price');
});

test('an option that is sold out, gone, missing or too many needs another choice', () => {
  const withSize = (size: OptionGroupOnOffer) => item('A', { optionGroups: [size] });
  const chosen = line('A', { optionIds: ['x'], unitPrice: 600 });
  expect(stateOf(chosen, withSize(group(1, 1, option('x', 100), option('y'))))).toBe('fine');
  expect(stateOf(chosen, withSize(group(1, 1, option('x', 100, true), option('y'))))).toBe('options');
  expect(stateOf(chosen, withSize(group(0, 1, option('y'))))).toBe('options');
  expect(stateOf(chosen, withSize(group(2, 2, option('x', 100), option('y'))))).toBe('options');
  expect(stateOf(line('A', { optionIds: ['x', 'y'] }), withSize(group(0, 1, option('x'), option('y'))))).toBe(
    'options',
  );
  expect(stateOf(chosen, item('A'))).toBe('options');
});

test('optional extras need not be chosen, nor up to the maximum', () => {
  const extras = item('A', { optionGroups: [group(0, 2, option('x', 100), option('y')), group(1, 3, option('z'))] });
  expect(stateOf(line('A', { optionIds: ['z'] }), extras)).toBe('fine');
  expect(stateOf(line('A', { optionIds: ['x', 'z'], unitPrice: 600 }), extras)).toBe('fine');
  expect(missingOf(group(0, 2, option('x'), option('y')), ['x'])).toBe(0);
});

test('unavailable lines are set aside and not counted; a new price is counted', () => {
  const menu = menuOf(item('A'), item('B', { price: 700 }), item('C', { isSoldOut: true }));
  const checked = checkCart([line('A', { quantity: 2 }), line('B'), line('C'), line('D')], menu);
  expect(checked.ready.map((one) => one.line.plu)).toEqual(['A', 'B']);
  expect(checked.changed.map((one) => one.line.plu)).toEqual(['B']);
  expect(checked.aside.map((one) => one.line.name)).toEqual(['Item C', 'Item D']);
  expect([checked.count, checked.total]).toEqual([3, 1700]);
});

test('options can make a dish cheaper, but never cheaper than free', () => {
  const cheap = item('A', { optionGroups: [group(0, 2, option('x', -200), option('y', -900))] });
  expect(unitPriceOf(cheap, ['x'])).toBe(300);
  expect(unitPriceOf(cheap, ['x', 'y'])).toBe(0);
});

test('counts missing and surplus options of a group', () => {
  const three = group(1, 2, option('x'), option('y'), option('z'));
  expect(missingOf(three, [])).toBe(1);
  expect(missingOf(three, ['x', 'y'])).toBe(0);
  expect(missingOf(three, ['x', 'y', 'z'])).toBe(-1);
});

test('every line is either ordered or set aside, and the total is that of the ordered ones', () => {
  const anyItem = fc.record({ price: fc.nat(9000), isSoldOut: fc.boolean(), isListed: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(anyItem, { maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 9 }))),
      (items, wishes) => {
        const listed = items.map(({ isListed, ...rest }, at) => ({ isListed, it: item(`P${at}`, rest) }));
        const menu = menuOf(...listed.filter(({ isListed }) => isListed).map(({ it }) => it));
        const lines = wishes.map(([at, quantity]) => line(`P${at}`, { quantity }));
        const { ready, aside, total, count } = checkCart(lines, menu);
        expect(ready.length + aside.length).toBe(lines.length);
        const sums = ready.map(({ line: { plu, quantity } }) => {
          const found = items[Number(plu.slice(1))];
          expect(found).toMatchObject({ isListed: true, isSoldOut: false });
          return [quantity, quantity * (found?.price ?? 0)] as const;
        });
        expect(count).toBe(sums.reduce((sum, [quantity]) => sum + quantity, 0));
        expect(total).toBe(sums.reduce((sum, [, amount]) => sum + amount, 0));
      },
    ),
  );
});
