import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMenuScene, refusalOf } from '@/server/testing/menu';
import { newId } from '../kernel/ids';
import { lacksTranslation } from '../kernel/missing-translations';

const database = sharedDatabase();

const missing = { code: 'menu_entry_not_found', paths: [] };
const sugar = {
  name: 'Sugar',
  minimum: 1,
  maximum: 1,
  options: [
    { name: 'Normal', price: 0 },
    { name: 'Less', price: 0, translations: { zh: { name: '少糖' } } },
    { name: 'None', price: -10, plu: 'SUGAR-0', allergens: ['milk' as const, 'walnut' as const] },
  ],
};

test('a group keeps its options in order, and options keep their ids', async () => {
  const { call } = await createMenuScene(database);
  const { optionGroupId } = await call.menu.createOptionGroup(sugar);
  const before = await call.menu.optionGroup({ optionGroupId });
  expect(before).toMatchObject({ ...sugar, itemCount: 0 });
  const [normal, less, none] = before.options;
  if (!normal || !less || !none) throw new Error('three options were made');
  const options = [none, { name: 'Extra', price: 30 }, { ...normal, name: 'Standard' }];
  await call.menu.updateOptionGroup({ ...sugar, optionGroupId, maximum: 2, options, revision: before.revision });
  const after = await call.menu.optionGroup({ optionGroupId });
  expect(after.maximum).toBe(2);
  expect(after.options.map(({ name }) => name)).toEqual(['None', 'Extra', 'Standard']);
  expect(after.options.map(({ allergens }) => allergens)).toEqual([['milk', 'walnut'], [], []]);
  expect([after.options[0]?.optionId, after.options[2]?.optionId]).toEqual([none.optionId, normal.optionId]);
});

test('a group is shared by items, in each one’s order, and removed from all when it is deleted', async () => {
  const { call, addCategory, addItem } = await createMenuScene(database);
  const { optionGroupId: a } = await call.menu.createOptionGroup(sugar);
  const { optionGroupId: b } = await call.menu.createOptionGroup({ ...sugar, name: 'Ice' });
  const drinks = await addCategory('Drinks');
  const kopi = await addItem(drinks, 'D1', { optionGroupIds: [b, a] });
  const teh = await addItem(drinks, 'D2', { optionGroupIds: [a] });
  expect((await call.menu.item({ itemId: kopi })).optionGroupIds).toEqual([b, a]);
  const counts = async () => (await call.menu.optionGroups()).map(({ name, itemCount }) => [name, itemCount]);
  expect(await counts()).toEqual([
    ['Ice', 1],
    ['Sugar', 2],
  ]);
  await call.menu.archiveItems({ itemIds: [kopi] });
  expect(await counts()).toEqual([
    ['Ice', 0],
    ['Sugar', 1],
  ]);
  await call.menu.deleteOptionGroup({ optionGroupId: a });
  expect((await call.menu.item({ itemId: kopi })).optionGroupIds).toEqual([b]);
  expect((await call.menu.item({ itemId: teh })).optionGroupIds).toEqual([]);
  expect(await refusalOf(call.menu.deleteOptionGroup({ optionGroupId: a }))).toEqual(missing);
});

test.each([
  ['a maximum below the minimum', { minimum: 2, maximum: 1 }, 'maximum'],
  ['more to choose than there is', { minimum: 4, maximum: 4 }, 'minimum'],
  ['no options', { minimum: 0, options: [] }, 'options'],
])('a group is refused with %s', async (_, wrong, path) => {
  const { call } = await createMenuScene(database);
  expect((await refusalOf(call.menu.createOptionGroup({ ...sugar, ...wrong }))).paths).toEqual([path]);
  expect(await call.menu.optionGroups()).toEqual([]);
});

test('names are unique', async () => {
  const { call } = await createMenuScene(database);
  const outcomes = await Promise.allSettled([1, 2].map(() => call.menu.createOptionGroup(sugar)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await refusalOf(call.menu.createOptionGroup(sugar))).toEqual({ code: 'invalid_request', paths: ['name'] });
});

test('an option of another group, or listed twice, is refused and changes nothing', async () => {
  const { call } = await createMenuScene(database);
  const { optionGroupId } = await call.menu.createOptionGroup(sugar);
  const { optionGroupId: other } = await call.menu.createOptionGroup({ ...sugar, name: 'Ice' });
  const before = await call.menu.optionGroup({ optionGroupId });
  const [own] = before.options;
  const [foreign] = (await call.menu.optionGroup({ optionGroupId: other })).options;
  if (!own || !foreign) throw new Error('both groups have options');
  for (const options of [[foreign], [own, own], [{ ...own, optionId: newId() }]]) {
    const changed = { ...sugar, optionGroupId, options, revision: before.revision };
    const refused = await refusalOf(call.menu.updateOptionGroup(changed));
    expect(refused).toEqual({ code: 'invalid_request', paths: ['options'] });
  }
  expect(await call.menu.optionGroup({ optionGroupId })).toEqual(before);
});

test('groups and options whose name one of diners’ languages lacks can be counted', async () => {
  const { call } = await createMenuScene(database);
  const whole = { zh: { name: '甲' }, ja: { name: '乙' }, ms: { name: 'Satu' } };
  const options = [
    { name: 'Whole', price: 0, translations: whole },
    { name: 'Half', price: 0, translations: { zh: whole.zh } },
  ];
  await call.menu.createOptionGroup({ ...sugar, options, translations: whole });
  await call.menu.createOptionGroup({ ...sugar, name: 'Ice', options });
  const names = (await call.menu.optionGroups()).flatMap((group) => [group, ...group.options]);
  const lacking = names.filter((one) => lacksTranslation({ locale: 'en-SG' }, one));
  expect(lacking.map(({ name }) => name)).toEqual(['Ice', 'Half', 'Half']);
});

test('another merchant’s group does not exist', async () => {
  const theirs = await createMenuScene(database);
  const { optionGroupId } = await theirs.call.menu.createOptionGroup(sugar);
  const { call } = await createMenuScene(database);
  expect(await call.menu.optionGroups()).toEqual([]);
  expect(await refusalOf(call.menu.optionGroup({ optionGroupId }))).toEqual(missing);
  expect(await refusalOf(call.menu.updateOptionGroup({ ...sugar, optionGroupId, revision: '' }))).toEqual(missing);
  expect(await refusalOf(call.menu.deleteOptionGroup({ optionGroupId }))).toEqual(missing);
  expect(await theirs.call.menu.optionGroups()).toHaveLength(1);
});
