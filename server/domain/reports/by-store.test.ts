/** Reports of one store, the order of stores and days, and days that begin by the merchant's clock. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { createStaff } from '@/server/testing/staff';
import { newId } from '../core/ids';
import { authenticate } from '../merchants/authenticate';
import { topUp } from '../stored-value/top-up';
import { liabilityReport } from './ledger-report';
import { rollUpReports } from './roll-up';
import { salesByDayAndStore, salesReport } from './sales-report';
import { voucherReport } from './voucher-report';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());

const period = { from: '2026-03-10', to: '2026-03-11' };

/** Two stores, the second by name first, on two days: what was paid for packages of 10.00. */
async function createScene() {
  const { owner, db } = database;
  let now = new Date('2026-03-10T04:00:00Z');
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const [west, east] = merchant.stores;
  await owner`update stores set name = 'West' where merchant_id = ${merchant.id} and id = ${west.id}`;
  await owner`update stores set name = 'East' where merchant_id = ${merchant.id} and id = ${east.id}`;
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200 });
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const [inWest, inEast] = [await authenticate(services, west.key), await authenticate(services, east.key)];
  const pay = (till: typeof inWest) => topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
  const on = (day: string) => {
    now = new Date(`${day}T04:00:00Z`);
  };
  await pay(inWest);
  await pay(inEast);
  await pay(inEast);
  on('2026-03-11');
  await pay(inWest);
  const staff = await createStaff(owner, services, merchant.id);
  return { merchant, west, east, staff, services, customerId, on };
}

test('one store by itself, summed up or not', async () => {
  const { east, staff, services, on } = await createScene();
  const ofEast = { ...period, storeId: east.id };
  const check = async () => {
    const sales = await salesReport(staff, ofEast);
    expect(sales.total).toMatchObject({ topUpCount: 2, topUps: 2_000 });
    expect(sales.days.map(({ topUps }) => topUps)).toEqual([2_000, 0]);
    expect(sales.stores.map(({ storeName }) => storeName)).toEqual(['East']);
    const cut = await salesByDayAndStore(staff, ofEast);
    expect(cut.map(({ day, storeName, topUps }) => [day, storeName, topUps])).toEqual([['2026-03-10', 'East', 2_000]]);
    const value = await liabilityReport(staff, ofEast);
    expect([value.total.principal.closing, value.total.bonus.closing]).toEqual([2_000, 400]);
    expect(value.days.map(({ principal }) => principal.closing)).toEqual([2_000, 2_000]);
    expect(new Set(value.stores.map(({ storeName }) => storeName))).toEqual(new Set(['East']));
  };
  await check();
  on('2026-03-12');
  await rollUpReports(services);
  await check();
});

test('stores by name, days in their order, and last what no store took', async () => {
  const { merchant, west, staff, customerId } = await createScene();
  await database.owner`
    insert into transactions (merchant_id, uid, transaction_id, type, status, amount, occurred_at, created_at, customer_id)
    values (${merchant.id}, ${newId(Date.parse('2026-03-10T05:00:00Z'))}, 'online', 'topUp', 'completed', 700,
      '2026-03-10T05:00:00Z', '2026-03-10T05:00:00Z', ${customerId})`;
  const names = async () => (await salesReport(staff, period)).stores.map(({ storeName }) => storeName);
  const rename = (name: string) =>
    database.owner`update stores set name = ${name} where merchant_id = ${merchant.id} and id = ${west.id}`;
  await rename('Bay');
  expect(await names()).toEqual(['Bay', 'East', null]);
  await rename('West');
  expect(await names()).toEqual(['East', 'West', null]);
  const cut = await salesByDayAndStore(staff, period);
  expect(cut.map(({ day, storeName }) => [day, storeName])).toEqual([
    ['2026-03-10', 'East'],
    ['2026-03-10', 'West'],
    ['2026-03-10', null],
    ['2026-03-11', 'West'],
  ]);
  const value = await liabilityReport(staff, period);
  expect(value.stores.map(({ storeName, part }) => [storeName, part])).toEqual([
    ['East', 'principal'],
    ['East', 'bonus'],
    ['West', 'principal'],
    ['West', 'bonus'],
  ]);
});

test('vouchers expire on the days of the merchant’s clock, also of a campaign that nothing else became of', async () => {
  const { merchant, staff, customerId, on } = await createScene();
  const { owner } = database;
  const campaignId = await createCampaign(owner, merchant.id, { name: 'Ten off' });
  // In Singapore: the last moment of the 9th, the first of the 10th, the last of the 11th, the first of the 12th.
  const ends = ['2026-03-09T15:59:59Z', '2026-03-09T16:00:00Z', '2026-03-11T15:59:59Z', '2026-03-11T16:00:00Z'];
  for (const [n, expiresAt] of ends.entries()) {
    await owner`insert into vouchers ${owner({
      ...{ merchant_id: merchant.id, id: newId(Date.parse('2026-01-05T04:00:00Z')), campaign_id: campaignId },
      ...{ customer_id: customerId, voucher_code: `ZONE${n}`, issued_at: new Date('2026-01-05T04:00:00Z') },
      expires_at: new Date(expiresAt),
    })}`;
  }
  on('2026-03-20');
  const nothing = { issued: 0, redeemed: 0, discount: 0 };
  expect((await voucherReport(staff, period)).campaigns).toEqual([
    { campaignId, name: 'Ten off', ...nothing, expired: 2 },
  ]);
});
