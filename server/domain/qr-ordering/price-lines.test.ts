/** Properties of every order from every menu, compared with an oracle that computes the total from the menu's rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { maxMoney } from '../kernel/schemas';
import type { ItemOnOffer, OptionGroupOnOffer } from './menu-on-offer';
import { priceLines, totalOf } from './price-lines';

/** Mostly menu prices, and now and then the maximum. */
const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  fc.integer({ min: 0, max: maxMoney }),
);
const difference = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -6_000, max: 3_000 }) },
  fc.integer({ min: -maxMoney, max: maxMoney }),
);

const option = fc.record({ price: difference, isChosen: fc.boolean() });
const group = fc.array(option, { minLength: 1, maxLength: 5 });
const line = fc.record({
  price,
  quantity: fc.integer({ min: 1, max: 99 }),
  groups: fc.array(group, { maxLength: 3 }),
});

type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

/** A menu on which each line's item has exactly its options, and limits that the choice satisfies. */
function menuOf(lines: Line[]) {
  const asked = lines.map(({ quantity }, index) => ({
    plu: `P${index}`,
    quantity,
    note: '',
    optionIds: [] as string[],
    unitPrice: 0,
  }));
  const items = lines.map(({ price: itemPrice, groups }, index): ItemOnOffer => {
    const optionGroups = groups.map((options): OptionGroupOnOffer => {
      const count = options.filter(({ isChosen }) => isChosen).length;
      const rows = options.map((one) => ({
        id: newId(),
        name: 'Option',
        price: one.price,
        plu: null,
        allergens: [],
        isSoldOut: false,
      }));
      rows.forEach(({ id }, at) => {
        if (options[at]?.isChosen) asked[index]?.optionIds.push(id);
      });
      return { id: newId(), name: 'Group', minimum: count, maximum: Math.max(1, count), options: rows };
    });
    const texts = { plu: `P${index}`, name: 'Item', description: '', allergens: [], diets: [], photoId: null };
    return { ...texts, price: itemPrice, isSoldOut: false, optionGroups };
  });
  return { asked, items };
}

/** Computed with BigInt, so that it is exact. */
function expectedUnitPrice({ price: itemPrice, groups }: Line): bigint {
  const chosen = groups.flat().filter(({ isChosen }) => isChosen);
  const sum = chosen.reduce((total, one) => total + BigInt(one.price), BigInt(itemPrice));
  return sum < 0n ? 0n : sum;
}

function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test('the total is the sum over the lines of quantity × max(0, item + options), or the order is refused', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const { asked, items } = menuOf(lines);
      const units = lines.map(expectedUnitPrice);
      const seen = asked.map((one, index) => ({ ...one, unitPrice: Number(units[index]) }));
      const total = lines.reduce((sum, { quantity }, index) => sum + BigInt(quantity) * (units[index] ?? 0n), 0n);
      if (total > BigInt(maxMoney)) {
        expect(refusalOf(() => priceLines(seen, items)).code).toBe('invalid_request');
        return;
      }
      const priced = priceLines(seen, items);
      expect(priced.map(({ unitPrice }) => BigInt(unitPrice))).toEqual(units);
      expect(BigInt(totalOf(priced))).toBe(total);
    }),
  );
});

test('whatever price a phone sends, the menu’s is charged or the order refused', () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 1, max: 1_000_000 }), (one, off) => {
      const { asked, items } = menuOf([one]);
      const unitPrice = Number(expectedUnitPrice(one));
      const seen = asked.map((row) => ({ ...row, unitPrice: unitPrice + off }));
      const { code, details } = refusalOf(() => priceLines(seen, items));
      expect({ code, details }).toEqual({ code: 'prices_changed', details: { lines: [{ index: 0, unitPrice }] } });
    }),
  );
});

test('one option above a group’s maximum, or below its minimum, is refused on that line', () => {
  fc.assert(
    fc.property(line, line, fc.nat(), (first, second, pick) => {
      fc.pre(second.groups.length > 0);
      const { asked, items } = menuOf([first, second]);
      const groups = items[1]?.optionGroups ?? [];
      const group = groups[pick % groups.length] as OptionGroupOnOffer;
      const ids = asked[1]?.optionIds ?? [];
      const chosen = group.options.filter(({ id }) => ids.includes(id)).length;
      // Moves the group's limits so that the choice violates them.
      if (chosen === 0) group.minimum = 1;
      else group.maximum = chosen - 1;
      const { code, details } = refusalOf(() => priceLines(asked, items));
      expect({ code, details }).toEqual({ code: 'options_changed', details: { lines: [1] } });
    }),
  );
});
