/** Orders with options: refusals, prices, storage and display. */
import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createOptionGroup } from '@/server/testing/factory-ordering';
import { callAs } from '@/server/testing/staff';
import { createTables, openTable } from '@/server/testing/tables';
import { newId } from '../kernel/ids';
import { listStockOuts, stockOut } from '../stock-outs/stock-outs';
import { listOrders } from './orders';
import { placeOrder } from './place-order';
import { getQrCode, invalidateQrCode } from './qr-codes';
import type { NewOrder } from './schemas';
import { getTablePage } from './table-page';

const database = sharedDatabase();

type Line = NewOrder['lines'][number];

/** A table whose laksa (890) requires a size and allows two extras. */
async function newScene() {
  const tables = await createTables(database);
  const { merchant, services, cashier } = tables;
  const table = await openTable(tables);
  const group = (plu: string, of: Parameters<typeof createOptionGroup>[3]) =>
    createOptionGroup(database.owner, merchant.id, plu, of);
  const [small = '', large = ''] = await group('N001', {
    name: 'Size',
    minimum: 1,
    options: [
      { name: 'Small', price: -100 },
      { name: 'Large', price: 200 },
    ],
  });
  const [prawns = '', egg = '', free = ''] = await group('N001', {
    maximum: 2,
    options: [
      { name: 'Prawns', price: 300, plu: 'X001' },
      { name: 'Egg', price: 150 },
      { name: 'On the house', price: -5_000 },
    ],
  });
  const [ice = ''] = await group('D001', { name: 'Ice', options: [{ name: 'Ice', price: 0 }] });
  const order = (lines: Line[], clientOrderId = newId()) => placeOrder(services, table, { clientOrderId, lines });
  const placed = async () => (await getQrCode(tables.till, table)).orders;
  const { orders, stockOuts } = callAs(cashier);
  return {
    ...tables,
    table,
    order,
    placed,
    orders,
    soldOut: stockOuts.list,
    options: { small, large, prawns, egg, free, ice },
  };
}

const laksa = (unitPrice: number, ...optionIds: string[]): Line => ({ plu: 'N001', quantity: 2, unitPrice, optionIds });
const kopi: Line = { plu: 'D001', quantity: 1, unitPrice: 180 };

describe('options', () => {
  test('are part of the unit price, and shown to the till and on the board in menu order', async () => {
    const { order, till, table, orders, storeId, options } = await newScene();
    const answer = await order([laksa(1_390, options.prawns, options.large), kopi]);
    expect(answer).toMatchObject({
      number: 1,
      total: 2 * 1_390 + 180,
      lines: [
        {
          plu: 'N001',
          unitPrice: 1_390,
          amount: 2_780,
          options: [
            { name: 'Large', price: 200, plu: null },
            { name: 'Prawns', price: 300, plu: 'X001' },
          ],
        },
        { plu: 'D001', unitPrice: 180, options: [] },
      ],
    });
    expect((await listOrders(till, { limit: 50 })).items).toEqual([answer]);
    expect((await getQrCode(till, table)).orders).toEqual([answer]);
    expect((await orders.board({ storeId })).placed.orders).toEqual([{ ...answer, storeId }]);
  });

  test('can lower the price, but never below zero', async () => {
    const { order, options } = await newScene();
    const { lines, total } = await order([laksa(0, options.small, options.free), laksa(790, options.small)]);
    expect([lines.map(({ unitPrice }) => unitPrice), total]).toEqual([[0, 790], 1_580]);
  });
});

test('are shown in menu order, as are groups, whatever the order of creation', async () => {
  const { services, table, merchant } = await newScene();
  const { owner } = database;
  const shown = async () => {
    const page = await getTablePage(services, { token: table.token, client: '192.0.2.1' }, null);
    const items = page.state === 'open' ? page.categories.flatMap((category) => category.items) : [];
    const groups = items.find(({ plu }) => plu === 'N001')?.optionGroups ?? [];
    return groups.map(({ name, options }) => [name, ...options.map((option) => option.name)]);
  };
  const size = ['Size', 'Small', 'Large'];
  const extras = ['Extras', 'Prawns', 'Egg', 'On the house'];
  expect(await shown()).toEqual([size, extras]);
  await owner`update menu_item_option_groups set position = 10 - position where merchant_id = ${merchant.id}`;
  await owner`update menu_options set position = 10 - position where merchant_id = ${merchant.id}`;
  expect(await shown()).toEqual([
    ['Extras', 'On the house', 'Egg', 'Prawns'],
    ['Size', 'Large', 'Small'],
  ]);
});

test('an item with too few options left to choose from is sold out', async () => {
  const { services, table, till, merchant, order, options } = await newScene();
  const group = { name: 'Noodles', minimum: 1, options: [{ name: 'Thick', price: 0, plu: 'X002' }] };
  const [thick = ''] = await createOptionGroup(database.owner, merchant.id, 'N001', group);
  const soldOut = async () => {
    const page = await getTablePage(services, { token: table.token, client: '192.0.2.1' }, null);
    const items = page.state === 'open' ? page.categories.flatMap((category) => category.items) : [];
    return items.filter(({ isSoldOut }) => isSoldOut).map(({ plu }) => plu);
  };
  await stockOut(till, { plus: ['X001'] });
  expect(await soldOut()).toEqual([]);
  await stockOut(till, { plus: ['X002'] });
  expect(await soldOut()).toEqual(['N001']);
  const line = laksa(790, options.small, thick);
  await expect(order([line])).rejects.toMatchObject({ code: 'items_unavailable' });
});

describe('an order is refused as a whole', () => {
  test('with the lines whose options are too few, too many, another item’s or unknown', async () => {
    const { order, placed, options } = await newScene();
    const { small, large, prawns, egg, free, ice } = options;
    const lines = [
      laksa(890),
      laksa(790, small),
      laksa(990, small, large),
      laksa(0, small, prawns, egg, free),
      laksa(790, small, ice),
      laksa(790, small, newId()),
      kopi,
    ];
    await expect(order(lines)).rejects.toMatchObject({ code: 'options_changed', details: { lines: [0, 2, 3, 4, 5] } });
    expect(await placed()).toEqual([]);
  });

  test('with the PLUs of sold-out or removed items and options', async () => {
    const { order, placed, till, options, soldOut } = await newScene();
    const marked = await stockOut(till, { plus: ['X001', 'D001'] });
    expect(marked.items.map(({ name, known }) => [name, known])).toEqual([
      ['Prawns', true],
      ['Kopi', true],
    ]);
    const { items } = await listStockOuts(till, { limit: 100 });
    expect(items.map(({ name }) => name)).toEqual(['Kopi', 'Prawns']);
    const [found] = (await soldOut({ search: 'raw' })).items;
    expect(found).toMatchObject({ plu: 'X001', name: 'Prawns', categoryName: null });
    const lines = [laksa(1_090, options.small, options.prawns), kopi, { ...kopi, plu: 'NONE' }];
    const refused = { code: 'items_unavailable', details: { plus: ['X001', 'D001', 'NONE'] } };
    await expect(order(lines)).rejects.toMatchObject(refused);
    expect(await placed()).toEqual([]);
    expect((await order([laksa(940, options.small, options.egg)])).total).toBe(1_880);
  });

  test('with the current prices of items and options', async () => {
    const { order, placed, options, merchant } = await newScene();
    await database.owner`update menu_items set price = 200 where merchant_id = ${merchant.id} and plu = 'D001'`;
    await database.owner`update menu_options set price = 250 where id = ${options.large}`;
    const lines = [kopi, laksa(790, options.small), laksa(1_090, options.large)];
    const changed = [
      { index: 0, unitPrice: 200 },
      { index: 2, unitPrice: 1_140 },
    ];
    await expect(order(lines)).rejects.toMatchObject({ code: 'prices_changed', details: { lines: changed } });
    expect(await placed()).toEqual([]);
    expect((await order([{ ...kopi, unitPrice: 200 }])).total).toBe(200);
  });

  test('for an amount over the maximum, before it becomes an order that no till can read', async () => {
    const { order, placed, merchant } = await newScene();
    const unitPrice = 99_999_999_999;
    await database.owner`
      update menu_items set price = ${unitPrice} where merchant_id = ${merchant.id} and plu = 'D001'`;
    await expect(order([{ ...kopi, quantity: 2, unitPrice }])).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await placed()).toEqual([]);
  });
});

describe('a repeated order is the one that was placed', () => {
  test('also if it is sold out, more expensive or settled meanwhile, and with another body', async () => {
    const { order, placed, till, table, merchant } = await newScene();
    const clientOrderId = newId();
    const first = await order([kopi], clientOrderId);
    await stockOut(till, { plus: ['D001'] });
    await database.owner`update menu_items set price = 999 where merchant_id = ${merchant.id}`;
    expect(await order([kopi], clientOrderId)).toEqual(first);
    await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    expect(await order([kopi], clientOrderId)).toEqual(first);
    expect(await order([{ ...kopi, quantity: 9 }], clientOrderId)).toEqual(first);
    await expect(order([kopi])).rejects.toMatchObject({ code: 'qr_code_closed' });
    expect(await placed()).toEqual([first]);
  });
});
