import { expect, test } from 'vitest';
import { allergensOf } from './allergens';
import { allergens } from './context';

test('each country has its own list', () => {
  const lists = ['JP', 'US', 'SG', 'MY', 'DE', 'GB'].map(allergensOf);
  expect(lists.map(({ length }) => length)).toEqual([28, 9, 14, 14, 14, 14]);
  expect(allergensOf('JP').slice(0, 8).sort()).toEqual(
    ['shrimp', 'crab', 'walnut', 'wheat', 'buckwheat', 'eggs', 'milk', 'peanuts'].sort(),
  );
  for (const list of lists) expect(new Set(list).size).toBe(list.length);
  expect(new Set(lists.flat()), 'every allergen is on a list').toEqual(new Set(allergens));
});
