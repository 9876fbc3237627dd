import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMenuScene, refusalOf } from '@/server/testing/menu';
import { newId } from '../kernel/ids';
import { lacksTranslation } from '../kernel/missing-translations';

const database = sharedDatabase();

const missing = { code: 'menu_entry_not_found', paths: [] };
const names = (list: { name: string }[]) => list.map(({ name }) => name);

describe('categories', () => {
  test('are in order of creation, with translations and item counts', async () => {
    const { call, addCategory, addItem } = await createMenuScene(database);
    const drinks = await addCategory('Drinks');
    await call.menu.createCategory({
      name: '  Noodles \n & rice ',
      translations: { zh: { name: '面食' }, ms: { name: ' ' } },
    });
    await addItem(drinks, 'D1');
    const revision = expect.any(String);
    expect(await call.menu.categories()).toEqual([
      {
        categoryId: drinks,
        revision,
        name: 'Drinks',
        translations: {},
        station: '',
        itemCount: 1,
        untranslatedCount: 1,
      },
      {
        categoryId: expect.any(String),
        revision,
        station: '',
        itemCount: 0,
        untranslatedCount: 0,
        name: 'Noodles & rice',
        translations: { zh: { name: '面食' } },
      },
    ]);
  });

  test('whose name one of diners’ languages lacks can be counted', async () => {
    const { call } = await createMenuScene(database);
    const whole = { zh: { name: '甲' }, ja: { name: '乙' }, ms: { name: 'Satu' } };
    await call.menu.createCategory({ name: 'Whole', translations: whole });
    await call.menu.createCategory({ name: 'Half', translations: { ...whole, ja: { name: ' ' } } });
    await call.menu.createCategory({ name: 'None' });
    const lacking = (await call.menu.categories()).filter((one) => lacksTranslation({ locale: 'en-SG' }, one));
    expect(names(lacking)).toEqual(['Half', 'None']);
  });

  test('are put into a new order; those not named follow', async () => {
    const { call, addCategory } = await createMenuScene(database);
    const [a, , c] = [await addCategory('A'), await addCategory('B'), await addCategory('C')];
    await call.menu.orderCategories({ categoryIds: [c, a] });
    expect(names(await call.menu.categories())).toEqual(['C', 'A', 'B']);
    const d = await addCategory('D');
    expect(names(await call.menu.categories())).toEqual(['C', 'A', 'B', 'D']);
    await call.menu.orderCategories({ categoryIds: [d] });
    expect(names(await call.menu.categories())).toEqual(['D', 'C', 'A', 'B']);
  });

  test('keep a complete order when two people move them at the same moment', async () => {
    const { call, addCategory } = await createMenuScene(database);
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push(await addCategory(name));
    const orders = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? ids : ids.toReversed()));
    await Promise.all([...orders.map((categoryIds) => call.menu.orderCategories({ categoryIds })), addCategory('F')]);
    const now = names(await call.menu.categories()).filter((name) => name !== 'F');
    expect([ids.length, ['A,B,C,D,E', 'E,D,C,B,A'].includes(now.join())]).toEqual([5, true]);
  });

  test('have unique names, also when two are created at once', async () => {
    const { addCategory, renameCategory } = await createMenuScene(database);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => addCategory('Drinks')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(addCategory('Drinks'))).toEqual({ code: 'invalid_request', paths: ['name'] });
    const other = await addCategory('Food');
    expect(await refusalOf(renameCategory(other, 'Drinks'))).toEqual({ code: 'invalid_request', paths: ['name'] });
  });

  test('are archived with their items, and restored with the first of them', async () => {
    const { call, addCategory, addItem } = await createMenuScene(database);
    const categoryId = await addCategory('Drinks');
    const itemId = await addItem(categoryId, 'D1');
    await addItem(categoryId, 'D2');
    expect(await call.menu.archiveCategory({ categoryId })).toEqual({ archivedItems: 2 });
    expect(await call.menu.categories()).toEqual([]);
    expect(await refusalOf(call.menu.archiveCategory({ categoryId }))).toEqual(missing);
    expect(await refusalOf(addItem(categoryId, 'D3'))).toEqual(missing);
    await call.menu.restoreItems({ itemIds: [itemId] });
    expect(await call.menu.categories()).toMatchObject([{ name: 'Drinks', itemCount: 1 }]);
  });

  test('are limited to 200', async () => {
    const { merchant, addCategory } = await createMenuScene(database);
    await database.owner`
      insert into menu_categories (merchant_id, id, name, position)
      select ${merchant.id}, gen_random_uuid(), 'C' || n, n from generate_series(1, 200) as n`;
    expect(await refusalOf(addCategory('One more'))).toEqual({ code: 'invalid_request', paths: ['name'] });
  });

  test('of another merchant do not exist', async () => {
    const { addCategory } = await createMenuScene(database);
    const { call, addCategory: addOwn, addItem } = await createMenuScene(database);
    const own = await addOwn('Mine');
    for (const categoryId of [await addCategory('Theirs'), newId()]) {
      expect(await refusalOf(call.menu.updateCategory({ categoryId, name: 'X', revision: '' }))).toEqual(missing);
      expect(await refusalOf(call.menu.archiveCategory({ categoryId }))).toEqual(missing);
      expect(await refusalOf(call.menu.orderCategories({ categoryIds: [own, categoryId] }))).toEqual(missing);
      expect(await refusalOf(addItem(categoryId, 'X1'))).toEqual(missing);
      expect(await call.menu.categoryItems({ categoryId })).toEqual([]);
    }
  });

  test('are audited with their values before and after', async () => {
    const { merchant, staff, addCategory, renameCategory } = await createMenuScene(database);
    const categoryId = await addCategory('Drinks');
    await renameCategory(categoryId, 'Cold drinks');
    const rows = await database.owner`
      select actor_id, action, subject_id, before, after from audit_log where merchant_id = ${merchant.id} order by id`;
    expect(rows.map((row) => [row.actor_id, row.action, row.subject_id])).toEqual([
      [staff.staff.userId, 'menuCategory.create', categoryId],
      [staff.staff.userId, 'menuCategory.update', categoryId],
    ]);
    expect([JSON.parse(rows[1]?.before).name, JSON.parse(rows[1]?.after).name]).toEqual(['Drinks', 'Cold drinks']);
  });
});
