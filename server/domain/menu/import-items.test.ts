import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { menuExport } from '@/server/csv/menu';
import { workbookWriter } from '@/server/csv/xlsx';
import { createMenuScene, type MenuScene } from '@/server/testing/menu';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { textRow, workbookFile } from '@/server/testing/workbook';
import { inEnglish } from '../kernel/in-english';
import { say } from '../kernel/say';

const database = sharedDatabase();

const fileOf = (csv: string) => Buffer.from(csv).toString('base64');
const importCsv = ({ call }: MenuScene, csv: string, dryRun = false) =>
  call.menu.importItems({ file: fileOf(csv), dryRun });
const exportCsv = ({ staff }: MenuScene, query = {}) => new Response(menuExport.open(staff, query)).text();
const menuOf = async ({ call }: MenuScene) => {
  const categories = await call.menu.categories();
  const lists = await Promise.all(categories.map(({ categoryId }) => call.menu.categoryItems({ categoryId })));
  return lists.flatMap((items, index) =>
    items.map(({ plu, name, price }) => [categories[index]?.name, plu, name, price].join(' ')),
  );
};

describe('columns', () => {
  test('are found by the headings of tills and spreadsheets; prices are read as they write them', async () => {
    const scene = await createMenuScene(database);
    const csv =
      'Item Code;Item name;Unit price (S$);Menu group;Colour\n="007";Laksa;"1.250,50";Food;red\n008;Kopi;4,20;Food;\n';
    const outcome = await importCsv(scene, csv);
    expect(outcome).toMatchObject({ created: 2, columns: { plu: 0, name: 1, price: 2, category: 3 }, issues: [] });
    expect(await menuOf(scene)).toEqual(['Food 007 Laksa 125050', 'Food 008 Kopi 420']);
  });

  test('are the merchant’s choice', async () => {
    const scene = await createMenuScene(database);
    const csv = 'A,B,C,D\nN1,4.20,Drinks,Kopi\n';
    const { issues, headings } = await importCsv(scene, csv, true);
    expect([issues.map(({ column }) => column), headings]).toEqual([
      ['plu', 'name', 'price', 'category'],
      ['A', 'B', 'C', 'D'],
    ]);
    const columns = { plu: 0, price: 1, category: 2, name: 3 };
    await scene.call.menu.importItems({ file: fileOf(csv), columns, dryRun: false });
    expect(await menuOf(scene)).toEqual(['Drinks N1 Kopi 420']);
  });

  test('of prices that can be read in two ways are refused by row', async () => {
    const scene = await createMenuScene(database);
    const { issues } = await importCsv(scene, 'plu,name,price,category\nN1,Laksa,1.250,Food\n');
    expect(issues).toEqual([{ row: 2, column: 'price', sentence: say('ambiguousPrice', { example: '8.50' }) }]);
  });
});

test('a workbook’s prices and codes are what they are, in the sheet that the merchant chooses', async () => {
  const scene = await createMenuScene(database);
  const head = textRow(1, 'plu', 'name', 'price', 'category');
  const item = (plu: string, price: string) =>
    `<row r="2">${plu}<c t="inlineStr"><is><t>Laksa</t></is></c><c><v>${price}</v></c><c t="inlineStr"><is><t>Food</t></is></c></row>`;
  const bytes = await workbookFile({
    sheets: { Old: head + item('<c><v>1</v></c>', '1'), New: head + item('<c s="1"><v>7</v></c>', '1.25') },
    formats: ['000'],
  });
  const file = bytes.toString('base64');
  const { source, issues } = await scene.call.menu.importItems({ file, sheet: 1, dryRun: false });
  expect([source, issues]).toEqual([{ kind: 'workbook', sheets: ['Old', 'New'], sheet: 1 }, []]);
  expect(await menuOf(scene)).toEqual(['Food 007 Laksa 125']);
});

test('an Excel export, imported again, changes nothing', async () => {
  const scene = await createMenuScene(database);
  await importCsv(scene, 'plu,name,price,category\n007,=Laksa+,1250.5,Food\n1E5,3/4 chicken,0,Food\n');
  const stream = menuExport.open(scene.staff, {}, workbookWriter('menu', scene.staff.merchant));
  const file = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64');
  const outcome = await scene.call.menu.importItems({ file, dryRun: false });
  expect(outcome).toMatchObject({ created: 0, updated: 0, unchanged: 2, issues: [] });
});

test('new items and categories that differ only in how they are written are pointed out before they are created', async () => {
  const scene = await createMenuScene(database);
  const { addCategory, addItem } = scene;
  const food = await addCategory('Hot Food');
  for (const plu of ['007', '1001', 'N001', 'X-1']) await addItem(food, plu);
  const rows = [
    '7,Tea,1,hot food',
    '1001.0,Rice,1,Hot Food',
    'n001,Soup,1,Hot Food',
    'Ｘ１,Pie,1,Hot Food',
    'N100,New,1,Hot Food',
  ];
  const csv = `plu,name,price,category\n${rows.join('\n')}\n`;
  const { similar, created } = await importCsv(scene, csv, true);
  expect(created).toBe(5);
  expect(similar.map(({ kind, given, other }) => `${kind} ${given} ${other}`)).toEqual([
    'category hot food Hot Food',
    'item 7 007',
    'item 1001.0 1001',
    'item n001 N001',
    'item Ｘ１ X-1',
  ]);
  expect(similar[1]?.names).toEqual(['Tea', 'Item 007']);
  expect(await menuOf(scene)).toHaveLength(4);
});

describe('a file', () => {
  test('creates new items, changes existing ones by PLU, and leaves the others alone', async () => {
    const scene = await createMenuScene(database);
    const { call, addCategory, addItem, north } = scene;
    const food = await addCategory('Food');
    const translations = { zh: { name: '叻沙', description: '' } };
    const rest = {
      name: 'Laksa',
      description: 'In coconut broth',
      allergens: ['milk'],
      translations,
      allStores: false,
      storeIds: [north.id],
    };
    const laksa = await addItem(food, 'N001', rest);
    await addItem(food, 'N002', { name: 'Mee siam' });
    await addItem(food, 'N003');
    const csv =
      'plu,name,price,category\nN001,Laksa,9.5,Food\nN002,Mee siam,5.00,Food\nD001,"Kopi, black",1.80,Drinks\n\n';
    const outcome = {
      created: 1,
      updated: 1,
      unchanged: 1,
      newCategories: ['Drinks'],
      changes: [
        { plu: 'N001', name: 'Laksa', price: 950, priceBefore: 500, stores: null },
        { plu: 'D001', name: 'Kopi, black', price: 180, priceBefore: null, stores: null },
      ],
      similar: [],
      headings: ['plu', 'name', 'price', 'category'],
      columns: { plu: 0, name: 1, price: 2, category: 3 },
      source: { kind: 'text', encoding: 'utf-8', isCertain: true },
      issues: [],
    };
    const before = await menuOf(scene);
    expect(await importCsv(scene, csv, true)).toEqual(outcome);
    expect(await menuOf(scene)).toEqual(before);
    expect(await importCsv(scene, csv)).toEqual(outcome);
    expect(await menuOf(scene)).toEqual([
      'Food N001 Laksa 950',
      'Food N002 Mee siam 500',
      'Food N003 Item N003 500',
      'Drinks D001 Kopi, black 180',
    ]);
    expect(await call.menu.item({ itemId: laksa })).toMatchObject({ ...rest, price: 950 });
    expect(await importCsv(scene, csv)).toMatchObject({ created: 0, updated: 0, unchanged: 3, newCategories: [] });
  });

  test.each([
    ['name', 'Curry laksa'],
    ['description', 'In coconut broth'],
    ['allergens', 'milk|eggs'],
    ['allergens', 'wheat|shrimp|roe'],
    ['diets', 'vegan|halal'],
  ])('that only gives another %s changes that, and nothing else', async (column, given) => {
    const scene = await createMenuScene(database);
    const { call, addCategory, addItem } = scene;
    const rest = { name: 'Laksa', description: 'Spicy', allergens: ['milk' as const], diets: ['vegetarian' as const] };
    const itemId = await addItem(await addCategory('Food'), 'N001', rest);
    const columns = { plu: 'N001', name: 'Laksa', price: '5.00', category: 'Food', [column]: given };
    const csv = `${Object.keys(columns).join()}\n${Object.values(columns).join()}`;
    expect(await importCsv(scene, csv)).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
    const changed = { [column]: ['allergens', 'diets'].includes(column) ? given.split('|') : given };
    expect(await call.menu.item({ itemId })).toMatchObject({ ...rest, price: 500, ...changed });
    expect(await importCsv(scene, csv)).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  test('moves items to the end of another category, restores archived ones, and sets every column it has', async () => {
    const scene = await createMenuScene(database);
    const { call, addCategory, addItem, south } = scene;
    const [food, drinks] = [await addCategory('Food'), await addCategory('Drinks')];
    const [a] = [await addItem(food, 'A'), await addItem(food, 'B'), await addItem(drinks, 'D')];
    await call.menu.archiveItems({ itemIds: [a] });
    const csv = [
      'PLU,Name,Price,Category,Description,Allergens,Stores',
      'B,Bee,2,Drinks,Cold,,all',
      'A,Ay,1,Drinks,,milk|eggs,SOUTH',
    ].join('\r\n');
    expect(await importCsv(scene, csv)).toMatchObject({ created: 0, updated: 2, issues: [] });
    expect(await menuOf(scene)).toEqual(['Drinks D Item D 500', 'Drinks B Bee 200', 'Drinks A Ay 100']);
    expect(await call.menu.item({ itemId: a })).toMatchObject({
      description: '',
      allergens: ['milk', 'eggs'],
      allStores: false,
      storeIds: [south.id],
      archivedAt: null,
    });
  });

  test('restores archived items unchanged; moved items come last, wherever they were', async () => {
    const scene = await createMenuScene(database);
    const { call, addCategory, addItem } = scene;
    const [food, drinks] = [await addCategory('Food'), await addCategory('Drinks')];
    const a = await addItem(food, 'A');
    for (const plu of ['D', 'E', 'F']) await addItem(drinks, plu);
    const file = await exportCsv(scene);
    await call.menu.archiveItems({ itemIds: [a] });
    expect(await importCsv(scene, file)).toMatchObject({ created: 0, updated: 1, unchanged: 3, issues: [] });
    expect(await menuOf(scene)).toContain('Food A Item A 500');
    await importCsv(scene, 'plu,name,price,category\nA,Item A,5,Drinks\n');
    expect(await scene.plusOf(drinks)).toEqual(['D', 'E', 'F', 'A']);
  });

  test('that names a store of another merchant is refused by its row; its items and categories stay theirs', async () => {
    const [ours, theirs] = [await createMenuScene(database), await createMenuScene(database)];
    const { id } = theirs.merchant;
    await database.owner`update stores set store_code = 'ELSEWHERE' where merchant_id = ${id} and id = ${theirs.south.id}`;
    await theirs.addItem(await theirs.addCategory('Food'), 'N001');
    const before = await rowsOf(database.owner, id);
    const rows = ['N001,Laksa,9.50,Food,NORTH', 'N002,Kopi,1.80,Food,ELSEWHERE'];
    const named = await importCsv(ours, `plu,name,price,category,stores\n${rows.join('\n')}\n`);
    expect(named.issues).toEqual([
      { row: 3, column: 'stores', sentence: say('unknownStores', { codes: 'ELSEWHERE' }) },
    ]);
    const claimed = await importCsv(ours, `plu,name,price,category,merchant_id\nN001,Laksa,9.50,Food,${id}\n`);
    expect(Object.keys(claimed.columns)).toEqual(['plu', 'name', 'price', 'category']);
    expect(await menuOf(ours)).toEqual(['Food N001 Laksa 950']);
    expect(await rowsOf(database.owner, id)).toEqual(before);
  });

  test('keeps an item’s stores for an empty cell, and reports each change of stores', async () => {
    const scene = await createMenuScene(database);
    const { call, addCategory, addItem, north, south } = scene;
    const food = await addCategory('Food');
    const atSouth = { allStores: false, storeIds: [south.id] };
    const atNorth = { allStores: false, storeIds: [north.id] };
    const ids = [await addItem(food, 'A', atSouth), await addItem(food, 'B', atSouth), await addItem(food, 'C')];
    const rows = ['A,Item A,5,Food,', 'B,Item B,5,Food,all', 'C,Item C,5,Food,NORTH', 'D,Item D,5,Food,'];
    const csv = `plu,name,price,category,stores\n${rows.join('\n')}\n`;
    const { changes } = await importCsv(scene, csv, true);
    expect(changes.map(({ plu, stores }) => [plu, stores])).toEqual([
      ['B', { before: ['SOUTH'], after: [] }],
      ['C', { before: [], after: ['NORTH'] }],
      ['D', null],
    ]);
    await importCsv(scene, csv);
    const everywhere = { allStores: true, storeIds: [] };
    for (const [index, stores] of [atSouth, everywhere, atNorth].entries()) {
      expect(await call.menu.item({ itemId: ids[index] as string })).toMatchObject(stores);
    }
    const [, , , added] = await call.menu.categoryItems({ categoryId: food });
    expect(added).toMatchObject({ plu: 'D', ...everywhere });
  });

  test('with mistakes changes nothing, and reports each by row and column', async () => {
    const scene = await createMenuScene(database);
    const csv = [
      'plu,name,price,category,description,allergens,stores',
      'A,Good,1.00,Food,,,',
      ',Nameless,1.00,Food,,,',
      'B,,1.00,Food,,,',
      'C,Price,1.005,Food,,,',
      'E,Price,-1,,,,',
      'F,Allergen,1,Food,,milk|dust,',
      'G,Store,1,Food,,,NORTH|EAST',
      'A,Again,1,Food,,,',
      'A,All at once,dear,Food,,,EAST',
    ].join('\n');
    const { issues } = await importCsv(scene, csv);
    expect(issues.map(({ row, column }) => `${row} ${column}`).sort()).toEqual(
      ['3 plu', '4 name', '5 price', '6 price', '6 category', '7 allergens', '8 stores', '9 plu']
        .concat(['10 plu', '10 price', '10 stores'])
        .sort(),
    );
    expect(issues.find(({ row }) => row === 9)?.sentence).toEqual(say('inRowAlready', { row: 2 }));
    expect(await menuOf(scene)).toEqual([]);
    expect(await scene.call.menu.categories()).toEqual([]);
  });

  test.each([
    ['nothing', '', 'is missing'],
    ['headings only', 'plu,name,price,category\n', 'has no items'],
    ['a repeated column', 'plu,name,price,category,plu\nA,A,1,F,A', 'appears more than once'],
    ['an unmatched quotation mark', 'plu,name,price,category\nA,"A,1,F\n', 'quotation mark'],
    ['another encoding, with lost letters', 'plu,name,price,category\nA,Cr\ufffdme,1,F\n', 'unknown encoding'],
    ['5,001 rows', `plu,name,price,category\n${'A,A,1,F\n'.repeat(5_001)}`, 'one row too many'],
    ['501 items of a category', `plu,name,price,category\n${rows(501)}`, 'puts 501 items into F'],
  ])('of %s is refused', async (_, csv, words) => {
    const scene = await createMenuScene(database);
    const outcome = await importCsv(scene, csv);
    expect(outcome.issues.map(({ sentence }) => inEnglish(sentence)).join('; ')).toContain(words);
    expect(await menuOf(scene)).toEqual([]);
  });

  // On a busy machine, its single statement may exceed the statement timeout. Staff would then import again.
  test('of 5,000 rows is imported completely', { retry: 2 }, async () => {
    const scene = await createMenuScene(database);
    const lines = Array.from({ length: 5_000 }, (_, i) => `P${i},Item ${i},${i}.05,Category ${i % 20}`);
    const outcome = await importCsv(scene, `plu,name,price,category\n${lines.join('\n')}`);
    expect(outcome).toMatchObject({ created: 5_000, issues: [] });
    expect(outcome.changes).toHaveLength(100);
    const file = await exportCsv(scene);
    expect(file.trim().split('\n')).toHaveLength(5_001);
    expect(file).toContain('P4999,Item 4999,4999.05,Category 19,,,,all');
  });

  test('of a full category can be imported again; an item that leaves it makes room for another', async () => {
    const scene = await createMenuScene(database);
    const csv = `plu,name,price,category\n${rows(500)}`;
    await importCsv(scene, csv);
    expect(await importCsv(scene, csv.replaceAll(',1,', ',2,'))).toMatchObject({ updated: 500, issues: [] });
    const swap = 'plu,name,price,category\nP0,Item,2,G\nNEW,Item,2,F\n';
    expect(await importCsv(scene, swap)).toMatchObject({ created: 1, updated: 1, issues: [] });
    const more = await importCsv(scene, 'plu,name,price,category\nMORE,Item,2,F\n');
    expect(more.issues.map(({ sentence }) => inEnglish(sentence))).toEqual([
      expect.stringContaining('puts 501 items into F'),
    ]);
  });

  test('imported twice at the same moment creates each item once', async () => {
    const scene = await createMenuScene(database);
    const csv = `plu,name,price,category\n${rows(50)}`;
    const outcomes = await Promise.all([1, 2, 3].map(() => importCsv(scene, csv)));
    expect(outcomes.map(({ created }) => created).sort()).toEqual([0, 0, 50]);
    expect(await menuOf(scene)).toHaveLength(50);
  });

  test('that was exported changes nothing, whatever the texts; also with semicolons, as in other countries', async () => {
    const scene = await createMenuScene(database);
    const { addCategory, addItem, south } = scene;
    const food = await addCategory('Noodles, rice & "more"');
    await addItem(food, '=1+1', { name: '-5% "deal"', description: '@home, or not; who knows', price: 5 });
    await addItem(food, 'ラ1', {
      name: "'quoted'",
      allStores: false,
      storeIds: [south.id],
      allergens: ['fish', 'eggs'],
    });
    const file = await exportCsv(scene);
    expect(file).toContain(`'=1+1,"'-5% ""deal""",0.05,`);
    expect(await importCsv(scene, file)).toMatchObject({ created: 0, updated: 0, unchanged: 2, issues: [] });
    const semicolons = 'plu;name;price;category\nN1;Laksa;8.90;"Food; hot"\nN2;Kopi;4,20;"Food; hot"\n';
    expect(await importCsv(scene, semicolons)).toMatchObject({ created: 2, newCategories: ['Food; hot'], issues: [] });
    expect(await menuOf(scene)).toContain('Food; hot N2 Kopi 420');
  });

  test('of a merchant in yen has no decimals', async () => {
    const scene = await createMenuScene(database);
    await database.owner`update merchants set currency = 'JPY' where id = ${scene.merchant.id}`;
    scene.staff.merchant.currency = 'JPY';
    const { issues } = await importCsv(scene, 'plu,name,price,category\nA,A,900.5,F');
    expect(issues).toEqual([{ row: 2, column: 'price', sentence: say('notAnAmount', { example: '9' }) }]);
    await importCsv(scene, 'plu,name,price,category\nA,A,900,F');
    expect(await menuOf(scene)).toEqual(['F A A 900']);
    expect(await exportCsv(scene)).toContain('A,A,900,F');
  });
});

test('an export is filtered as the list is, and holds no other merchant’s item', async () => {
  const scene = await createMenuScene(database);
  const food = await scene.addCategory('Food');
  for (const plu of ['A', 'B']) await scene.addItem(food, plu);
  expect(await exportCsv(scene, { search: 'a', category: 'ignored' })).not.toContain('B,Item B');
  expect(await exportCsv(scene, { status: 'archived' })).not.toContain('Item');
  expect(await exportCsv(await createMenuScene(database))).not.toContain('Item');
});

function rows(count: number): string {
  return Array.from({ length: count }, (_, i) => `P${i},Item,1,F\n`).join('');
}
