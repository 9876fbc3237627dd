/** What a store's diners order most and how long they wait, as a phone shows it. */
import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createOrder } from '@/server/testing/factory-ordering';
import { createTables, openTable } from '@/server/testing/tables';
import { changeOrderingSettings } from './ordering-settings';
import { getTablePage } from './table-page';

const database = sharedDatabase();

const minutes = (count: number) => new Date(Date.now() - count * 60_000);

async function newScene() {
  const tables = await createTables(database);
  const { merchant, services } = tables;
  const table = await openTable(tables);
  const order = async (
    plu: string,
    rest: { status?: string; placedAt?: Date; updatedAt?: Date } = {},
    quantity = 1,
  ) => {
    const { orderId } = await createOrder(database.db, merchant.id, { ...table, lines: [{ plu, quantity }] });
    const { status = 'placed', placedAt = new Date(), updatedAt = placedAt } = rest;
    await database.owner`
      update orders set status = ${status}, placed_at = ${placedAt}, updated_at = ${updatedAt} where id = ${orderId}`;
  };
  const page = async () => {
    const seen = await getTablePage(services, table.visit, 'en');
    if (seen.state !== 'open') throw new Error(`the page is ${seen.state}`);
    return seen;
  };
  return { ...tables, order, page };
}

describe('popular dishes', () => {
  test('are those that were ordered most often in 30 days, and are on the menu', async () => {
    const { order, page, merchant } = await newScene();
    const old = minutes(31 * 24 * 60);
    for (let times = 0; times < 12; times++) {
      await order('D001');
      await order('N002');
      await order('N002', { placedAt: old });
      if (times < 11) await order('N001', {}, 9);
    }
    await database.owner`update menu_items set archived_at = now() where merchant_id = ${merchant.id} and plu = 'N002'`;
    expect((await page()).popular).toEqual(['D001', 'N001']);
  });

  test('are none where little was ordered, most was cancelled, or the merchant shows none', async () => {
    const [few, hidden] = [await newScene(), await newScene()];
    for (let times = 0; times < 10; times++) {
      await few.order('D001', { status: times === 0 ? 'cancelled' : 'served' });
      await hidden.order('D001');
    }
    await changeOrderingSettings(hidden.cashier, { showsPopular: false });
    expect((await few.page()).popular).toEqual([]);
    expect((await hidden.page()).popular).toEqual([]);
    await changeOrderingSettings(hidden.cashier, { showsPopular: true });
    expect((await hidden.page()).popular).toEqual(['D001']);
  });

  test('are counted once in a while, not for each page', async () => {
    const { order, page } = await newScene();
    expect((await page()).popular).toEqual([]);
    for (let times = 0; times < 10; times++) await order('D001');
    expect((await page()).popular).toEqual([]);
  });
});

describe('the wait', () => {
  const took = (count: number, status = 'served', placedAt = minutes(60)) => ({
    status,
    placedAt,
    updatedAt: new Date(placedAt.getTime() + count * 60_000),
  });

  test('is the median of the last orders, rounded up to five minutes', async () => {
    const { order, page, cashier } = await newScene();
    for (const count of [3, 11, 12, 55]) await order('D001', took(count));
    expect((await page()).waitMinutes).toBeNull();
    await order('D001', took(13, 'ready'));
    await order('D001', took(1, 'accepted'));
    await order('D001', took(1, 'cancelled'));
    expect((await page()).waitMinutes).toBe(15);
    await changeOrderingSettings(cashier, { estimatesWait: false });
    expect((await page()).waitMinutes).toBeNull();
  });

  test('is of the last two hours, and of orders that were not marked at once', async () => {
    const [late, quick] = [await newScene(), await newScene()];
    for (let times = 0; times < 6; times++) {
      await late.order('D001', took(20, 'served', minutes(121)));
      await quick.order('D001', took(1));
    }
    expect((await late.page()).waitMinutes).toBeNull();
    expect((await quick.page()).waitMinutes).toBeNull();
  });
});
