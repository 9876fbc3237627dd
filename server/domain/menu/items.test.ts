import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMenuScene, refusalOf } from '@/server/testing/menu';
import { newId } from '../kernel/ids';

const database = sharedDatabase();

const missing = { code: 'menu_entry_not_found', paths: [] };

describe('an item', () => {
  test('is stored as given, and updated as a whole', async () => {
    const { call, north, south, addCategory, updateItem, itemIn } = await createMenuScene(database);
    const [food, drinks] = [await addCategory('Food'), await addCategory('Drinks')];
    const group = { name: 'Sugar', minimum: 0, maximum: 1, options: [{ name: 'None', price: 0 }] };
    const { optionGroupId } = await call.menu.createOptionGroup(group);
    const given = {
      categoryId: food,
      plu: ' N001 ',
      name: 'Laksa',
      description: 'In coconut\nbroth',
      translations: { zh: { name: '叻沙', description: '' }, ja: { name: '', description: '' } },
      price: 890,
      allergens: ['crustaceans' as const, 'milk' as const],
      diets: ['halal' as const],
      allStores: false,
      storeIds: [north.id],
      optionGroupIds: [optionGroupId],
    };
    const { itemId } = await call.menu.createItem(given);
    const kept = await call.menu.item({ itemId });
    expect(kept).toEqual({
      ...given,
      itemId,
      revision: expect.any(String),
      plu: 'N001',
      description: 'In coconut broth',
      translations: { zh: { name: '叻沙', description: '' } },
      categoryName: 'Food',
      photoId: null,
      archivedAt: null,
    });
    await updateItem(itemId, itemIn(drinks, 'N002', { allStores: false, storeIds: [south.id] }));
    expect(await call.menu.item({ itemId })).toMatchObject({
      categoryName: 'Drinks',
      plu: 'N002',
      price: 500,
      description: '',
      translations: {},
      allergens: [],
      diets: [],
      storeIds: [south.id],
      optionGroupIds: [],
    });
    const both = [north.id, south.id].sort();
    await updateItem(itemId, itemIn(drinks, 'N002', { allStores: false, storeIds: both }));
    expect(await call.menu.item({ itemId })).toMatchObject({ allStores: false, storeIds: both });
    await updateItem(itemId, itemIn(drinks, 'N002', { storeIds: [south.id] }));
    expect(await call.menu.item({ itemId })).toMatchObject({ allStores: true, storeIds: [] });
  });

  test('has a unique PLU, also when two are created at once; an archived one keeps its own', async () => {
    const { call, addCategory, addItem } = await createMenuScene(database);
    const food = await addCategory('Food');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => addItem(food, 'N001')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [item] = await call.menu.categoryItems({ categoryId: food });
    await call.menu.archiveItems({ itemIds: [item?.itemId ?? ''] });
    expect(await refusalOf(addItem(food, 'N001'))).toEqual({ code: 'invalid_request', paths: ['plu'] });
  });

  test.each([
    ['a negative price', { price: -1 }, 'price'],
    ['a price that is no integer', { price: 1.5 }, 'price'],
    ['no name', { name: ' ' }, 'name'],
    ['an unknown allergen', { allergens: ['dust'] }, 'allergens.0'],
    ['an unknown language', { translations: { xx: { name: 'X', description: '' } } }, 'translations'],
    ['no store at all', { allStores: false, storeIds: [] }, 'storeIds'],
    ['a repeated store', { allStores: false, storeIds: [newId(), newId()].fill(newId()) }, 'storeIds'],
  ])('is refused with %s', async (_, wrong, path) => {
    const { addCategory, addItem, plusOf } = await createMenuScene(database);
    const food = await addCategory('Food');
    expect((await refusalOf(addItem(food, 'N001', wrong))).paths).toEqual([path]);
    expect(await plusOf(food)).toEqual([]);
  });

  test('can’t refer to another merchant’s store, option group, photo or category', async () => {
    const theirs = await createMenuScene(database);
    const group = { name: 'Sugar', minimum: 0, maximum: 1, options: [{ name: 'None', price: 0 }] };
    const { optionGroupId } = await theirs.call.menu.createOptionGroup(group);
    const theirItem = await theirs.addItem(await theirs.addCategory('Food'), 'N001');
    const { call, addCategory, addItem, itemIn, plusOf } = await createMenuScene(database);
    const food = await addCategory('Food');
    for (const storeId of [theirs.north.id, newId()]) {
      const refused = await refusalOf(addItem(food, 'N001', { allStores: false, storeIds: [storeId] }));
      expect(refused.code).toBe('store_not_found');
    }
    for (const rest of [{ optionGroupIds: [optionGroupId] }, { photoId: newId() }]) {
      expect(await refusalOf(addItem(food, 'N001', rest))).toEqual(missing);
    }
    expect(await refusalOf(call.menu.updateItem({ itemId: theirItem, ...itemIn(food, 'N001'), revision: '' }))).toEqual(
      missing,
    );
    expect(await refusalOf(call.menu.item({ itemId: theirItem }))).toEqual(missing);
    expect(await refusalOf(call.menu.archiveItems({ itemIds: [theirItem] }))).toEqual(missing);
    expect(await refusalOf(call.menu.orderItems({ categoryId: food, itemIds: [theirItem] }))).toEqual(missing);
    expect(await plusOf(food)).toEqual([]);
  });

  test('notifies open screens, and is audited with its old and new price', async () => {
    const { merchant, addCategory, addItem, updateItem, itemIn } = await createMenuScene(database);
    const food = await addCategory('Food');
    const itemId = await addItem(food, 'N001');
    const heard: string[] = [];
    const { unlisten } = await database.owner.listen('merchant_changes', (payload) => heard.push(payload));
    await updateItem(
      itemId,
      itemIn(food, 'N001', { price: 650, translations: { ja: { name: '', description: ' ' } } }),
    );
    await expect.poll(() => heard).toEqual([JSON.stringify({ merchantId: merchant.id, topic: 'menu' })]);
    await unlisten();
    const [row] = await database.owner`
      select before, after from audit_log where merchant_id = ${merchant.id} and action = 'menuItem.update'`;
    expect([JSON.parse(row?.before).price, JSON.parse(row?.after).price]).toEqual([500, 650]);
    // Empty fields are not stored as translations.
    expect(JSON.parse(row?.after).translations).toEqual({});
  });
});

describe("a category's items", () => {
  test('are put into a new order; new, moved and restored ones come last', async () => {
    const { call, addCategory, addItem, updateItem, itemIn, plusOf } = await createMenuScene(database);
    const [food, drinks] = [await addCategory('Food'), await addCategory('Drinks')];
    const [a, b, c] = [await addItem(food, 'A'), await addItem(food, 'B'), await addItem(food, 'C')];
    const d = await addItem(drinks, 'D');
    await call.menu.orderItems({ categoryId: food, itemIds: [c, a] });
    expect(await plusOf(food)).toEqual(['C', 'A', 'B']);
    await call.menu.archiveItems({ itemIds: [c, a] });
    expect(await plusOf(food)).toEqual(['B']);
    await updateItem(d, itemIn(food, 'D'));
    await call.menu.restoreItems({ itemIds: [a, c, b] });
    expect(await plusOf(food)).toEqual(['B', 'D', 'C', 'A']);
    expect(await plusOf(drinks)).toEqual([]);
    await updateItem(b, itemIn(food, 'B', { price: 650 }));
    expect(await plusOf(food)).toEqual(['B', 'D', 'C', 'A']);
  });

  test('are limited to 500, including restored ones', async () => {
    const { merchant, call, addCategory, addItem, updateItem, itemIn } = await createMenuScene(database);
    const food = await addCategory('Food');
    const archived = await addItem(food, 'A');
    await call.menu.archiveItems({ itemIds: [archived] });
    await database.owner`
      insert into menu_items (merchant_id, id, category_id, plu, name, price, position)
      select ${merchant.id}, gen_random_uuid(), ${food}, 'P' || n, 'Item', 100, n from generate_series(1, 500) as n`;
    const full = { code: 'invalid_request', paths: ['categoryId'] };
    expect(await refusalOf(addItem(food, 'B'))).toEqual(full);
    expect(await refusalOf(call.menu.restoreItems({ itemIds: [archived] }))).toEqual(full);
    const { itemId } = (await call.menu.categoryItems({ categoryId: food }))[0] ?? { itemId: '' };
    await updateItem(itemId, itemIn(food, 'P1', { price: 650 }));
    expect(await call.menu.item({ itemId })).toMatchObject({ plu: 'P1', price: 650 });
  });
});

describe('the search', () => {
  test('finds a part of the name or the start of the PLU, and treats no character as a wildcard', async () => {
    const { call, addCategory, addItem } = await createMenuScene(database);
    const food = await addCategory('Food');
    await addItem(food, 'N001', { name: 'Laksa' });
    await addItem(food, 'N002', { name: '100% beef' });
    await addItem(food, 'D_01', { name: 'Kopi' });
    const found = async (search: string) => (await call.menu.searchItems({ search })).items.map(({ name }) => name);
    expect(await found('')).toEqual(['100% beef', 'Kopi', 'Laksa']);
    expect(await found('AKS')).toEqual(['Laksa']);
    expect(await found('n00')).toEqual(['100% beef', 'Laksa']);
    expect(await found('%')).toEqual(['100% beef']);
    expect(await found('d_')).toEqual(['Kopi']);
    expect(await found('\\')).toEqual([]);
  });

  test('pages through archived items, each once', async () => {
    const { call, addCategory, addItem } = await createMenuScene(database);
    const food = await addCategory('Food');
    const itemIds: string[] = [];
    for (const plu of ['A', 'B', 'C', 'D', 'E']) itemIds.push(await addItem(food, plu, { name: 'Same' }));
    await call.menu.archiveItems({ itemIds });
    const status = 'archived' as const;
    const first = await call.menu.searchItems({ status, limit: 2 });
    const second = await call.menu.searchItems({ status, limit: 2, after: first.nextCursor ?? '' });
    const third = await call.menu.searchItems({ status, limit: 2, after: second.nextCursor ?? '' });
    const plus = [first, second, third].map(({ items }) => items.map(({ plu }) => plu));
    expect(plus.map(({ length }) => length)).toEqual([2, 2, 1]);
    // Items of the same name are sorted by id, which is random within a millisecond.
    expect(plus.flat().sort()).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(third.nextCursor).toBeNull();
    expect((await call.menu.searchItems({})).items).toEqual([]);
  });
});

test('items whose name one of diners’ languages lacks are counted by category, and listed', async () => {
  const scene = await createMenuScene(database);
  const [food, drinks] = [await scene.addCategory('Food'), await scene.addCategory('Drinks')];
  const text = (name: string) => ({ name, description: '' });
  const whole = { zh: text('甲'), ja: text('乙'), ms: text('Satu') };
  await scene.addItem(food, 'A', { translations: whole });
  await scene.addItem(food, 'B', { translations: { ...whole, ja: text('') } });
  await scene.addItem(food, 'C');
  await scene.addItem(drinks, 'D', { translations: whole });
  const counts = (await scene.call.menu.categories()).map((one) => [one.name, one.itemCount, one.untranslatedCount]);
  expect(counts).toEqual([
    ['Food', 3, 2],
    ['Drinks', 1, 0],
  ]);
  const { items } = await scene.call.menu.searchItems({ status: 'untranslated' });
  expect(items.map(({ plu }) => plu)).toEqual(['B', 'C']);
});
