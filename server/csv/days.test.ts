/** A day is the same in reports, lists and CSV files: the store's, by PostgreSQL's time zone data. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { putBill } from '@/server/domain/bills/put';
import { newId } from '@/server/domain/kernel/ids';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { submitSale } from '@/server/domain/sales/submit';
import { billOf } from '@/server/testing/bill-payments';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createMenu, createOrder } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { billPaymentsExport } from './bill-payments';
import { ordersExport } from './orders';
import { transactionsExport } from './transactions';

const database = sharedDatabase();
const day = '2026-12-10';

/** Since 2026-11-01, PostgreSQL has -07:00 here, and Node 20 -08:00. */
const offset = '-07:00';
const moments = [
  ['2026-12-10T00:59:59.999', []],
  ['2026-12-10T01:00:00.000', [1]],
  ['2026-12-10T03:59:59.999', [1]],
  ['2026-12-10T04:00:00.000', [0, 1]],
  ['2026-12-11T00:59:59.999', [0, 1]],
  ['2026-12-11T01:00:00.000', [0]],
  ['2026-12-11T03:59:59.999', [0]],
  ['2026-12-11T04:00:00.000', []],
] as const;

test('a merchant in Vancouver has one day in each, also where a store starts its day at another hour', async () => {
  const { owner, db } = database;
  let now = new Date(`2026-12-09T12:00:00${offset}`);
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner, { time_zone: 'America/Vancouver' });
  await owner`update merchants set day_starts_at = 4 where id = ${merchant.id}`;
  await owner`update stores set day_starts_at = 1 where id = ${merchant.stores[1].id}`;
  const tills = await Promise.all(merchant.stores.map(({ key }) => authenticateKey(services, key)));
  await createMenu(owner, merchant.id);
  const expected: string[] = [];
  for (const [local, stores] of moments) {
    now = new Date(`${local}${offset}`);
    for (const [store, till] of tills.entries()) {
      const name = `${store} at ${local}`;
      if ((stores as readonly number[]).includes(store)) expected.push(name);
      await submitSale(till, {
        ...billOf(`sale ${name}`, 100),
        billId: undefined,
        transactionId: name,
        closedAt: now.toISOString(),
        payments: [{ method: 'cash', amount: 100 }],
      } as never);
      await putBill(till, billOf(name, 100));
      await owner`
        insert into bill_payments (merchant_id, id, bill_uid, state, amount, kept_amount, held_until, taken_at, created_at)
        select merchant_id, ${newId()}, id, 'taken', 100, 100, ${now}, ${now}, ${now} from bills
        where merchant_id = ${merchant.id} and bill_id = ${name}`;
      const { qrCodeId } = await generateQrCode(till, { billId: name, table: `${store} ${now.getTime()}` });
      const { orderId } = await createOrder(db, merchant.id, { qrCodeId });
      await owner`update orders set placed_at = ${now}, store_id = ${till.boundStore?.id as string} where id = ${orderId}`;
    }
  }
  now = new Date(`2026-12-12T12:00:00${offset}`);
  const staff = await createStaff(owner, services, merchant.id, 'owner');
  const call = callAs(staff);
  const csv = async (file: typeof ordersExport, column: string) => {
    const text = await new Response(file.open(staff, { from: day, until: day })).text();
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    return [...new Set(rows.map((row) => row[column]))].sort();
  };
  const listed = await call.transactions.list({ from: day, until: day, limit: 50 });
  expect(listed.items.map(({ transactionId }) => transactionId).sort()).toEqual(expected.sort());
  const ofType = await call.transactions.list({ from: day, until: day, type: 'sale', limit: 50 });
  expect(ofType.items.map(({ transactionId }) => transactionId).sort()).toEqual(expected);
  expect(await csv(transactionsExport, 'transactionId')).toEqual(expected);
  expect(await csv(billPaymentsExport, 'billId')).toEqual(expected);
  expect(await csv(ordersExport, 'billId')).toEqual(expected);
  const { days } = await call.reports.sales({ from: day, to: day });
  expect(days.map(({ sales }) => sales)).toEqual([100 * expected.length]);
});
