/** Card payments and tips at tables: by day in the merchant's time zone, by store, and as rows of the CSV file. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { billPaymentsExport } from '@/server/csv/bill-payments';
import { reportExports } from '@/server/csv/reports';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { putBill } from '../bills';
import { newId } from '../kernel/ids';
import { paymentsReport } from './payments-report';

const database = sharedDatabase();

async function createScene() {
  const { owner, db } = database;
  const services = testServices(db);
  const merchant = await createMerchant(owner);
  const [north, south] = merchant.stores;
  const openBill = async (key: string, billId: string) => {
    await putBill(await authenticateKey(services, key), {
      billId,
      revision: 1,
      table: '12',
      currency: 'SGD',
      lines: [],
      subtotal: 0,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total: 0,
    });
    const [row] = await owner`select id from bills where merchant_id = ${merchant.id} and bill_id = ${billId}`;
    return row?.id as string;
  };
  const [inNorth, inSouth] = [await openBill(north.key, 'N'), await openBill(south.key, 'S')];
  const pay = async (billUid: string, at: string | null, amount: number, tip = 0, kept = { amount, tip }) => {
    const taken = at === null ? { state: 'released' } : { state: 'taken', taken_at: at };
    const row = { merchant_id: merchant.id, id: newId(), bill_uid: billUid, amount, tip, held_until: new Date() };
    const counted = at === null ? {} : { kept_amount: kept.amount, kept_tip: kept.tip };
    await owner`insert into bill_payments ${owner({ ...row, ...taken, ...counted, guest_name: '=1+1', created_at: new Date() })}`;
    return row.id;
  };
  const staffOf = (storeIds?: string[]) => createStaff(owner, services, merchant.id, 'manager', storeIds);
  return { merchant, north, south, inNorth, inSouth, pay, staffOf };
}

const period = { from: '2026-03-10', to: '2026-03-11' };

test('adds up what was kept, by the merchant’s days and by store', async () => {
  const { inNorth, inSouth, north, south, pay, staffOf } = await createScene();
  // Singapore is eight hours ahead of UTC.
  await pay(inNorth, '2026-03-09T15:59:59.999Z', 100);
  await pay(inNorth, '2026-03-09T16:00:00.000Z', 1_000, 100);
  await pay(inNorth, '2026-03-11T15:59:59.999Z', 2_000, 200, { amount: 1_500, tip: 200 });
  await pay(inSouth, '2026-03-10T04:00:00.000Z', 4_000, 0, { amount: 0, tip: 0 });
  await pay(inSouth, '2026-03-11T04:00:00.000Z', 300);
  await pay(inSouth, '2026-03-11T16:00:00.000Z', 100);
  await pay(inSouth, null, 9_000);
  const staff = await staffOf();
  expect(await paymentsReport(staff, period)).toEqual({
    ...period,
    days: [
      { day: '2026-03-10', paymentCount: 1, payments: 1_000, tips: 100, returned: 4_000 },
      { day: '2026-03-11', paymentCount: 2, payments: 1_800, tips: 200, returned: 500 },
    ],
    stores: [
      { storeId: north.id, storeName: 'Store NORTH', paymentCount: 2, payments: 2_500, tips: 300, returned: 500 },
      { storeId: south.id, storeName: 'Store SOUTH', paymentCount: 1, payments: 300, tips: 0, returned: 4_000 },
    ],
    total: { paymentCount: 3, payments: 2_800, tips: 300, returned: 4_500 },
    before: { paymentCount: 1, payments: 100, tips: 0, returned: 0 },
  });
  const ofSouth = { payments: 300, tips: 0, returned: 4_000 };
  expect((await paymentsReport(staff, { ...period, storeId: south.id })).total).toMatchObject(ofSouth);
  const southern = await staffOf([south.id]);
  expect((await paymentsReport(southern, period)).total).toMatchObject(ofSouth);
  await expect(paymentsReport(southern, { ...period, storeId: north.id })).rejects.toMatchObject({
    code: 'store_not_found',
  });
  const csv = await new Response(reportExports['report-payments']?.open(staff, period)).text();
  expect(parse(csv, { bom: true })).toEqual([
    ['day', 'store', 'paymentCount', 'payments', 'tips', 'returned'],
    ['2026-03-10', 'Store NORTH', '1', '10', '1', '0'],
    ['2026-03-10', 'Store SOUTH', '0', '0', '0', '40'],
    ['2026-03-11', 'Store NORTH', '1', '15', '2', '5'],
    ['2026-03-11', 'Store SOUTH', '1', '3', '0', '0'],
  ]);
});

test('the file has each payment once, beyond one batch and with equal times, and no formula', async () => {
  const { inNorth, inSouth, north, pay, staffOf } = await createScene();
  const paymentId = await pay(inNorth, '2026-03-10T04:00:00.000Z', 1_000, 100, { amount: 900, tip: 100 });
  await pay(inSouth, '2026-03-10T03:00:00.000Z', 500);
  await database.owner`
    insert into bill_payments (merchant_id, id, bill_uid, state, amount, kept_amount, held_until, created_at, taken_at)
    select merchant_id, gen_random_uuid(), bill_uid, state, 1, 1, held_until, created_at, taken_at
    from bill_payments, generate_series(1, 1100) where id = ${paymentId}`;
  const staff = await staffOf();
  const read = async (query: Record<string, string>): Promise<Record<string, string>[]> =>
    parse(await new Response(billPaymentsExport.open(staff, query)).text(), { columns: true, bom: true });
  const days = { from: '2026-03-10', until: '2026-03-10' };
  const rows = await read(days);
  expect([rows.length, new Set(rows.map((row) => row.paymentId)).size]).toEqual([1_102, 1_102]);
  expect(rows.find((row) => row.paymentId === paymentId)).toEqual({
    paidAt: '2026-03-10T04:00:00.000Z',
    paymentId,
    store: 'Store NORTH',
    table: '12',
    billId: 'N',
    guest: "'=1+1",
    method: 'card',
    amount: '10',
    tip: '1',
    returned: '1',
    currency: 'SGD',
  });
  expect(await read({ ...days, storeId: north.id })).toHaveLength(1_101);
  expect(await read({ from: '2026-03-11', until: '2026-03-12' })).toEqual([]);
});
