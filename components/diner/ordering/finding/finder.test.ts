import { describe, expect, test } from 'vitest';
import type { Allergen, Diet } from '@/server/domain/kernel/context';
import type { ItemOnOffer, OptionGroupOnOffer } from '@/server/domain/qr-ordering';
import { applyFilter, findSimilar, parseFilter } from './finder';

const dish = (name: string, facts: Partial<ItemOnOffer> = {}): ItemOnOffer => ({
  plu: name,
  name,
  description: '',
  price: 100,
  allergens: [],
  diets: [],
  photoId: null,
  isSoldOut: false,
  optionGroups: [],
  ...facts,
});
const menu = (...items: ItemOnOffer[]) => [{ id: 'all', name: 'All', items }];
const namesOf = (categories: { items: ItemOnOffer[] }[]) =>
  categories.flatMap(({ items }) => items.map(({ name }) => name));

describe('a search with a mistake', () => {
  const dishes = menu(
    ...['Laksa', 'Teh tarik', 'Ondeh-ondeh', 'Chendol', 'Café crème', '醤油ラーメン', 'Kopi'].map((name) => dish(name)),
  );
  test.each([
    ['laska', ['Laksa']],
    ['lakso', ['Laksa']],
    ['laksaa', ['Laksa']],
    ['lksa', ['Laksa']],
    ['teh-tarik', ['Teh tarik']],
    ['tehtarik', ['Teh tarik']],
    ['the tarik', ['Teh tarik']],
    ['ondeh ondeh', ['Ondeh-ondeh']],
    ['ondehondeh', ['Ondeh-ondeh']],
    ['cendol', ['Chendol']],
    ['cafe creme', ['Café crème']],
    ['醤油ラーメソ', ['醤油ラーメン']],
    ['pizza', []],
    ['x', []],
    ['-', []],
  ])('%s', (search, found) => expect(namesOf(findSimilar(dishes, search))).toEqual(found));
});

const filterOf = (avoid: Allergen[], only: Diet[] = []) => JSON.stringify({ avoid, only });
const leaves = (filter: string, ...items: ItemOnOffer[]) => namesOf(applyFilter(menu(...items), filter));

describe('a filter', () => {
  test('hides what contains an avoided allergen, and leaves no empty category', () => {
    const [toast, kopi] = [dish('Toast', { allergens: ['gluten', 'milk'] }), dish('Kopi O')];
    expect(leaves(filterOf(['milk']), toast, kopi)).toEqual(['Kopi O']);
    expect(applyFilter(menu(toast), filterOf(['milk']))).toEqual([]);
    expect(leaves(filterOf(['eggs']), toast, kopi)).toEqual(['Toast', 'Kopi O']);
  });

  test('knows that another country’s list names the same allergen more broadly or more narrowly', () => {
    const [broad, narrow, other] = [
      dish('Bisque', { allergens: ['crustaceans'] }),
      dish('Ebi', { allergens: ['shrimp'] }),
      dish('Kani', { allergens: ['crab'] }),
    ];
    expect(leaves(filterOf(['shrimp']), broad, narrow, other)).toEqual(['Kani']);
    expect(leaves(filterOf(['crustaceans']), broad, narrow, other)).toEqual([]);
  });

  test('keeps a dish while enough of the options that must be chosen are free of it', () => {
    const option = (id: string, allergens: Allergen[]) => ({
      id,
      name: id,
      price: 0,
      plu: null,
      allergens,
      isSoldOut: false,
    });
    const group = (minimum: number): OptionGroupOnOffer => ({
      id: 'g',
      name: 'Drink',
      minimum,
      maximum: 2,
      options: [option('Teh', ['milk']), option('Kopi O', [])],
    });
    const sets = [0, 1, 2].map((minimum) => dish(`Set ${minimum}`, { optionGroups: [group(minimum)] }));
    expect(leaves(filterOf(['milk']), ...sets)).toEqual(['Set 0', 'Set 1']);
  });

  test('shows only what suits every wanted diet; what is vegan is vegetarian', () => {
    const dishes = [
      dish('Salad', { diets: ['vegan', 'halal'] }),
      dish('Omelette', { diets: ['vegetarian'] }),
      dish('Beef'),
    ];
    expect(leaves(filterOf([], ['vegetarian']), ...dishes)).toEqual(['Salad', 'Omelette']);
    expect(leaves(filterOf([], ['vegetarian', 'halal']), ...dishes)).toEqual(['Salad']);
  });

  test.each(['', '7', 'null', '{}', '{"avoid":7}'])('that is not one (%s) hides nothing', (saved) => {
    expect(parseFilter(saved)).toEqual({ avoid: [], only: [] });
    expect(leaves(saved, dish('Toast', { allergens: ['milk'] }))).toEqual(['Toast']);
  });
});
