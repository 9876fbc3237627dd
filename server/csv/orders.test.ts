import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { createOrder } from '@/server/testing/factory-ordering';
import { createTables } from '@/server/testing/tables';
import { ordersExport } from './orders';

const database = sharedDatabase();

async function newScene() {
  const { merchant, cashier, till, storeId } = await createTables(database);
  const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '12' });
  const read = async (query: Record<string, string>): Promise<Record<string, string>[]> =>
    parse(await new Response(ordersExport.open(cashier, query)).text(), { columns: true, bom: true });
  return { merchant, read, qrCodeId, storeId };
}

test('has one row per order line of those days, in the merchant’s time zone', async () => {
  const { merchant, read, qrCodeId, storeId } = await newScene();
  const place = async (placedAt: string) => {
    const { orderId } = await createOrder(database.db, merchant.id, { qrCodeId, note: '=1+1' });
    await database.owner`update orders set placed_at = ${placedAt} where id = ${orderId}`;
    return orderId;
  };
  // Singapore is eight hours ahead of UTC.
  const [, first, last] = [
    await place('2026-03-09T15:59:59.999Z'),
    await place('2026-03-09T16:00:00.000Z'),
    await place('2026-03-11T15:59:59.999Z'),
    await place('2026-03-11T16:00:00.000Z'),
  ];
  const rows = await read({ storeId, from: '2026-03-10', until: '2026-03-11' });
  expect(rows.map(({ orderId, plu, quantity, amount }) => [orderId, plu, quantity, amount])).toEqual([
    [first, 'N001', '1', '8.9'],
    [first, 'D001', '2', '3.6'],
    [last, 'N001', '1', '8.9'],
    [last, 'D001', '2', '3.6'],
  ]);
  expect(rows[0]).toMatchObject({ table: '12', billId: 'B-1', status: 'placed', currency: 'SGD', orderNote: "'=1+1" });
  const elsewhere = merchant.stores[1].id;
  expect(await read({ storeId: elsewhere, from: '2026-03-10', until: '2026-03-11' })).toEqual([]);
  await database.owner`update orders set store_id = ${elsewhere} where id = ${last}`;
  const all = await read({ from: '2026-03-10', until: '2026-03-11' });
  expect(all.map((row) => [row.orderId, row.store])).toEqual([
    ...[first, first].map((id) => [id, `Store ${merchant.stores[0].storeCode}`]),
    ...[last, last].map((id) => [id, `Store ${merchant.stores[1].storeCode}`]),
  ]);
});

test('is complete beyond one batch, and holds no other merchant’s order', async () => {
  const { merchant, read, qrCodeId, storeId } = await newScene();
  const { orderId } = await createOrder(database.db, merchant.id, { qrCodeId });
  await database.owner`
    with copies as (
      insert into orders (merchant_id, id, store_id, number, qr_code_id, client_order_id, total, placed_at, updated_at)
      select merchant_id, gen_random_uuid(), store_id, number + n, qr_code_id, gen_random_uuid(), total, placed_at, updated_at
      from orders, generate_series(1, 1100) n where id = ${orderId} returning merchant_id, id
    )
    insert into order_lines (merchant_id, order_id, position, plu, name, quantity, unit_price, amount)
    select merchant_id, id, 0, 'X', 'Copy', 1, 100, 100 from copies`;
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const rows = await read({ storeId, from: today, until: today });
  expect(new Set(rows.map((row) => row.orderId)).size).toBe(1_101);
  expect(rows).toHaveLength(1_102);
  expect(await (await newScene()).read({ storeId, from: today, until: today })).toEqual([]);
});

test.each([
  {},
  { storeId: 'x', from: '2026-03-10', until: '2026-03-11' },
  { from: '2026-02-30', until: '2026-03-01' },
  { from: '10.03.2026', until: '2026-03-11' },
])('refuses the filter %o', async (query) => {
  const { read, storeId } = await newScene();
  await expect(read({ storeId, ...query } as Record<string, string>)).rejects.toThrow();
});
