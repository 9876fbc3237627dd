/** What a phone sees at a code's URL: the table, the reason why it is over, or a page that reveals nothing. */
import { describe, expect, test } from 'vitest';
import { isBeingMoved, queriesOn } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { createOptionGroup, createOrder } from '@/server/testing/factory-ordering';
import { createStaff } from '@/server/testing/staff';
import { whileStopped } from '@/server/testing/stop';
import { createTables, openTable } from '@/server/testing/tables';
import { createCell } from '../kernel/cells';
import { newId } from '../kernel/ids';
import { keepReferences } from '../merchants';
import { stockOut } from '../stock-outs/stock-outs';
import { closeTableCodes } from './close-several';
import { listOrders } from './orders';
import { placeTableOrder } from './place-order';
import { invalidateQrCode } from './qr-codes';
import type { Order } from './schemas';
import { getTablePage } from './table-page';

const database = sharedDatabase();

let addresses = 0;
/** A client on a network that has tried no unknown token. */
const newClient = () => `198.51.100.${++addresses}`;

async function newScene() {
  const tables = await createTables(database);
  const table = await openTable(tables);
  const client = newClient();
  const page = (language: string | null = 'en', token = table.token) =>
    getTablePage(tables.services, { token, client }, language);
  const open = async (language: string | null = 'en') => {
    const seen = await page(language);
    if (seen.state !== 'open') throw new Error(`the page is ${seen.state}`);
    return seen;
  };
  return { ...tables, table, client, page, open };
}

const unknown = { state: 'unknown', retryAfterSeconds: null };
const guess = 'AAAAAAAAAAAAAAAAAAAAAA';

describe('an open table', () => {
  test('opens while the merchant is about to move to another cell; its orders have to wait', async () => {
    const { open, table, merchant, services, client } = await newScene();
    const order = { clientOrderId: newId(), lines: [{ plu: 'D001', quantity: 1, unitPrice: 180 }] };
    const place = () => placeTableOrder(services, { token: table.token, client }, order);
    await whileStopped(database.owner, merchant.id, async () => {
      expect((await open()).orders).toEqual([]);
      await expect(place()).rejects.toSatisfy(isBeingMoved);
    });
    await place();
    expect((await open()).orders).toHaveLength(1);
  });

  test('shows the menu with options and sold-out marks, and the bill’s orders', async () => {
    const { open, till, merchant, table } = await newScene();
    const { owner, db } = database;
    const options = [
      { name: 'Prawns', price: 300, plu: 'X001' },
      { name: 'Egg', price: -20 },
    ];
    const [prawns, egg] = await createOptionGroup(owner, merchant.id, 'N001', { maximum: 2, options });
    await owner`update menu_options set allergens = '{crustaceans}' where merchant_id = ${merchant.id} and plu = 'X001'`;
    await owner`update menu_items set allergens = '{milk,nuts}', diets = '{halal}' where merchant_id = ${merchant.id} and plu = 'N001'`;
    await stockOut(till, { plus: ['X001', 'D001'] });
    const order = await createOrder(db, merchant.id, { ...table, lines: [{ plu: 'N002', quantity: 2 }] });
    await createOrder(db, merchant.id, {
      ...(await openTable({ till, merchant })),
      lines: [{ plu: 'N002', quantity: 1 }],
    });
    const { categories, ...rest } = await open();
    expect(rest).toEqual({
      state: 'open',
      merchantId: merchant.id,
      qrCodeId: table.qrCodeId,
      merchant: {
        name: 'Test Kitchen',
        currency: 'SGD',
        country: 'SG',
        locale: 'en-SG',
        timeZone: 'Asia/Singapore',
        logoId: null,
        accentColour: null,
        welcome: null,
      },
      taxRules: {
        taxName: null,
        taxBasisPoints: null,
        taxIncluded: true,
        serviceBasisPoints: null,
        serviceIncluded: false,
      },
      offers: {
        redeemsOnBill: true,
        cardOnBill: false,
        takeBackMinutes: 2,
        tipPercentages: [],
        callsStaff: true,
        estimatesWait: true,
        ordersAgain: true,
        showsPopular: true,
        filtersDiets: true,
      },
      store: { name: 'Store NORTH', address: '', phone: '' },
      table: '12',
      bill: null,
      calls: [],
      popular: [],
      waitMinutes: null,
      firstOrderWaits: false,
      orders: [{ ...order, clientOrderId: expect.any(String), guestNumber: null, isMine: false }],
    });
    const item = { description: '', allergens: [], diets: [], photoId: null, isSoldOut: false, optionGroups: [] };
    const optionGroups = [
      {
        id: expect.any(String),
        name: 'Extras',
        minimum: 0,
        maximum: 2,
        options: [
          { id: prawns, name: 'Prawns', price: 300, plu: 'X001', allergens: ['crustaceans'], isSoldOut: true },
          { id: egg, name: 'Egg', price: -20, plu: null, allergens: [], isSoldOut: false },
        ],
      },
    ];
    expect(categories).toEqual([
      {
        id: expect.any(String),
        name: 'All',
        items: [
          {
            ...item,
            plu: 'N001',
            name: 'Laksa',
            price: 890,
            allergens: ['milk', 'nuts'],
            diets: ['halal'],
            optionGroups,
          },
          { ...item, plu: 'N002', name: 'Chicken Rice', price: 650 },
          { ...item, plu: 'D001', name: 'Kopi', price: 180, isSoldOut: true },
        ],
      },
    ]);
  });

  test('is in the requested language where translated, else in the merchant’s own', async () => {
    const { open, merchant } = await newScene();
    const { owner } = database;
    const options = [{ name: 'Egg', price: 0 }];
    await createOptionGroup(owner, merchant.id, 'N001', { options });
    const say = (table: string, texts: object, condition = owner`true`) =>
      owner`update ${owner(table)} set translations = ${owner.json({ zh: { ...texts } })}
        where merchant_id = ${merchant.id} and ${condition}`;
    await say('menu_categories', { name: '全部' });
    await say('menu_items', { name: '叻沙', description: '辣' }, owner`plu = 'N001'`);
    await say('menu_items', { name: '', description: '咖啡' }, owner`plu = 'D001'`);
    await say('menu_option_groups', { name: '加料' });
    await say('menu_options', { name: '蛋' });
    const words = async (language: string | null) => {
      const { categories } = await open(language);
      return categories.map(({ name, items }) => [
        name,
        ...items.map((item) => [
          item.name,
          item.description,
          ...item.optionGroups.flatMap((g) => [g.name, g.options[0]?.name]),
        ]),
      ]);
    };
    const own = [['All', ['Laksa', '', 'Extras', 'Egg'], ['Chicken Rice', ''], ['Kopi', '']]];
    expect(await words('zh')).toEqual([['全部', ['叻沙', '辣', '加料', '蛋'], ['Chicken Rice', ''], ['Kopi', '咖啡']]]);
    expect([await words('ms'), await words(null)]).toEqual([own, own]);
  });

  test('names what was ordered in the requested language, or as it was ordered if the menu no longer has it; tills see the record', async () => {
    const { open, merchant, table, till, services, client } = await newScene();
    const { owner } = database;
    const [egg = ''] = await createOptionGroup(owner, merchant.id, 'N001', { options: [{ name: 'Egg', price: 0 }] });
    const line = { quantity: 1, unitPrice: 890, optionIds: [egg] };
    const lines = [
      { ...line, plu: 'N001' },
      { ...line, plu: 'D001', unitPrice: 180, optionIds: [] },
    ];
    await placeTableOrder(services, { token: table.token, client }, { clientOrderId: newId(), lines });
    await owner`update menu_items set translations = ${owner.json({ zh: { name: '叻沙' } })}
      where merchant_id = ${merchant.id} and plu = 'N001'`;
    await owner`update menu_options set translations = ${owner.json({ zh: { name: '蛋' } })} where id = ${egg}`;
    await owner`update menu_items set archived_at = now(), translations = ${owner.json({ zh: { name: '咖啡' } })}
      where merchant_id = ${merchant.id} and plu = 'D001'`;
    const ordered = (orders: Pick<Order, 'lines'>[]) =>
      orders.flatMap((one) => one.lines).map(({ name, options }) => [name, ...options.map((option) => option.name)]);
    expect(ordered((await open('zh')).orders)).toEqual([['叻沙', '蛋'], ['Kopi']]);
    expect(ordered((await open(null)).orders)).toEqual([['Laksa', 'Egg'], ['Kopi']]);
    expect(ordered((await listOrders(till, { limit: 10 })).items)).toEqual([['Laksa', 'Egg'], ['Kopi']]);
  });
});

describe('a code that takes no orders', () => {
  test('thanks for a day after the bill was settled, and then looks like a guess', async () => {
    const { page, till, table } = await newScene();
    await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    expect(await page()).toEqual({ state: 'settled', merchantName: 'Test Kitchen', locale: 'en-SG' });
    const settledAgo = (ago: string) =>
      database.owner`update qr_codes set invalidated_at = now() - ${ago}::interval where id = ${table.qrCodeId}`;
    await settledAgo('23 hours 55 minutes');
    expect(await page()).toMatchObject({ state: 'settled' });
    await settledAgo('24 hours 5 minutes');
    expect(await page()).toEqual(unknown);
  });

  test('says of a bill only what is known: settled by a till, closed by staff, or out of time', async () => {
    const { page, till, table, services, merchant } = await newScene();
    const over = { merchantName: 'Test Kitchen', locale: 'en-SG' };
    await createOrder(database.db, merchant.id, { ...table, lines: [{ plu: 'N002', quantity: 2 }] });
    await database.owner`update qr_codes set expires_at = now() where id = ${table.qrCodeId}`;
    expect(await page()).toEqual({ state: 'expired', ...over });
    const staff = await createStaff(database.owner, services, merchant.id);
    await closeTableCodes(staff, { qrCodeIds: [table.qrCodeId] });
    expect(await page()).toEqual({ state: 'closed', ...over });
    await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    expect(await page(), 'it was closed before').toEqual({ state: 'closed', ...over });
    await database.owner`update qr_codes set invalidated_by = null where id = ${table.qrCodeId}`;
    expect(await page(), 'of an earlier version').toEqual({ state: 'closed', ...over });
  });

  test('looks the same for a wrong token, a malformed one, and a code that expired a day ago, whether marked or not', async () => {
    const { page, table, services, client } = await newScene();
    const { owner } = database;
    const order = { clientOrderId: newId(), lines: [{ plu: 'D001', quantity: 1, unitPrice: 180 }] };
    const answers = async (token: string) => {
      const visit = { token, client };
      const refusal = await placeTableOrder(services, visit, order).catch(({ code, message }) => ({ code, message }));
      return [await page('en', token), refusal];
    };
    const over = [unknown, { code: 'qr_code_not_found', message: 'This code no longer works.' }];
    expect(await answers(guess)).toEqual(over);
    expect(await answers("x' or true --")).toEqual(over);
    const [, refused] = over;
    await owner`update qr_codes set expires_at = now() where id = ${table.qrCodeId}`;
    expect(await answers(table.token)).toEqual([expect.objectContaining({ state: 'expired' }), refused]);
    await owner`update qr_codes set expires_at = now() - interval '1 day 5 minutes' where id = ${table.qrCodeId}`;
    expect(await answers(table.token)).toEqual(over);
    await owner`update qr_codes set status = 'expired' where id = ${table.qrCodeId}`;
    expect(await answers(table.token)).toEqual(over);
  });

  test('looks like a guess if its store was closed, settled or not', async () => {
    const { page, till, table, storeId } = await newScene();
    await database.owner`update stores set closed_at = now() where id = ${storeId}`;
    expect(await page()).toEqual(unknown);
    await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    expect(await page()).toEqual(unknown);
  });

  test('does not count as a guess once expired, however often it is opened', async () => {
    const { page, table, services, client } = await newScene();
    await database.owner`update qr_codes set expires_at = now() where id = ${table.qrCodeId}`;
    const order = { clientOrderId: newId(), lines: [{ plu: 'D001', quantity: 1, unitPrice: 180 }] };
    const over = { code: 'qr_code_not_found' };
    for (let n = 0; n < 61; n++) {
      await expect(placeTableOrder(services, { token: table.token, client }, order)).rejects.toMatchObject(over);
      expect(await page('en', table.token)).toMatchObject({ state: 'expired' });
    }
    expect(await page('en', guess)).toEqual(unknown);
  });

  test('looks like that for a network that misses too often; valid tokens there still work', async () => {
    const { page, open, services, client, table } = await newScene();
    const guessing = async () => (await page('en', guess)) as { retryAfterSeconds: number | null };
    for (let n = 0; n < 60; n++) expect(await guessing()).toEqual(unknown);
    const { retryAfterSeconds } = await guessing();
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(600);
    const wrong = { token: guess, client };
    const order = { clientOrderId: newId(), lines: [{ plu: 'D001', quantity: 1, unitPrice: 180 }] };
    const tooMany = { code: 'too_many_attempts' };
    await expect(placeTableOrder(services, wrong, order)).rejects.toMatchObject(tooMany);
    await open();
    expect(await placeTableOrder(services, { ...table, client }, order)).toMatchObject({ total: 180 });
    expect(await getTablePage(services, { token: guess, client: newClient() }, 'en')).toEqual(unknown);
    // Counting stops at the limit.
    const row = () => database.owner`select attempts, xmin::text from throttles order by attempts desc limit 1`;
    const before = await row();
    await Promise.all(Array.from({ length: 10 }, guessing));
    expect(await row()).toEqual(before);
  });
});

test('the code of a merchant that has moved leads to its new cell, and is no miss', async () => {
  const { table, merchant, services, client } = await newScene();
  const { owner } = database;
  const left = { merchant_id: merchant.id, state: 'left', cell: 'sg2', left_at: new Date() };
  await owner`insert into merchant_moves ${owner(left)}`;
  await owner.begin((tx) => keepReferences(queriesOn(tx), merchant.id));
  const cell = createCell('sg1', 'https://{cell}.loyalty.example.com');
  const open = (token: string) => getTablePage({ ...services, cell }, { token, client }, null);
  for (let times = 0; times < 70; times++) {
    expect(await open(table.token)).toEqual({ state: 'moved', origin: 'https://sg2.loyalty.example.com' });
  }
  expect(await open(guess)).toEqual(unknown);
});
