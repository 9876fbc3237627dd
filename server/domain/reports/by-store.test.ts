/** Reports of one store, the order of stores and days, and days in the merchant's time zone. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { adjustBalance } from '../customers/adjust';
import { newId } from '../kernel/ids';
import { newVoucherCode } from '../kernel/voucher-code';
import { expireValueOf } from '../ledger/expire';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { redeemVoucher } from '../vouchers/redeem';
import { needsAttention } from './attention';
import { homeFigures } from './home';
import { liabilityReport, pointsReport } from './ledger-report';
import { rollUpReports } from './roll-up';
import { salesByDayAndStore, salesReport } from './sales-report';
import { voucherReport } from './voucher-report';

const database = ownDatabase();

const period = { from: '2026-03-10', to: '2026-03-11' };

/** Creates two stores, in reverse order of their names, with payments on two days for packages of 10.00. */
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
  const [inWest, inEast] = [await authenticateKey(services, west.key), await authenticateKey(services, east.key)];
  const pay = (till: typeof inWest, transactionId = newId()) =>
    topUp(till, { transactionId, customer: { customerId }, packageId });
  const on = (day: string) => {
    now = new Date(`${day}T04:00:00Z`);
  };
  await pay(inWest);
  await pay(inEast);
  await pay(inEast);
  on('2026-03-11');
  await pay(inWest);
  const staff = await createStaff(owner, services, merchant.id);
  return { merchant, west, east, staff, services, inWest, customerId, pay, on };
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

test('each figure of the same number of days before', async () => {
  const { staff, services, inWest, pay, on } = await createScene();
  on('2026-03-12');
  await pay(inWest);
  const check = async () => {
    const days = { from: '2026-03-12', to: '2026-03-13' };
    const [sales, value, points] = [
      await salesReport(staff, days),
      await liabilityReport(staff, days),
      await pointsReport(staff, days),
    ];
    // The total covers the 10th and the 11th, but not the 9th.
    expect([sales.total.topUps, sales.before.topUps]).toEqual([1_000, 4_000]);
    expect([value.total.bonus.granted, value.before.bonus.granted]).toEqual([200, 800]);
    expect(points.before).toEqual({ points: { granted: 0, spent: 0, expired: 0, adjusted: 0 } });
    expect((await salesReport(staff, { from: '2026-03-12', to: '2026-03-12' })).before.topUps).toBe(1_000);
  };
  on('2026-03-13');
  await check();
  on('2026-03-14');
  await rollUpReports(services);
  await check();
});

test('stores by name, days in order, and takings outside of stores last', async () => {
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

test('bonus that expired, returned by a void and was reversed with it; adjustments outside of stores', async () => {
  const { merchant, staff, services, inWest, customerId, pay, on } = await createScene();
  await database.owner`update stored_value_packages set bonus_expires_in_days = 1 where merchant_id = ${merchant.id}`;
  await pay(inWest, 'a mistake');
  on('2026-03-14');
  await expireValueOf(services, { merchantId: merchant.id });
  await voidTransactions(inWest, { transactionIds: ['a mistake'] });
  const change = { customerId, part: 'bonus' as const, expiresOn: null, reason: 'For the wait' };
  await adjustBalance(staff, { ...change, adjustmentId: newId(), direction: 'add', amount: 50 });
  await adjustBalance(staff, { ...change, adjustmentId: newId(), direction: 'take', amount: 30 });
  const check = async () => {
    const { total, stores } = await liabilityReport(staff, { from: '2026-03-12', to: '2026-03-14' });
    const nothing = { granted: 0, spent: 0, expired: 0, adjusted: 0 };
    expect(total.bonus).toEqual({ ...nothing, opening: 1_000, granted: -200, adjusted: 20, closing: 820 });
    expect(total.principal).toEqual({ ...nothing, opening: 5_000, granted: -1_000, closing: 4_000 });
    expect(stores.at(-1)).toMatchObject({ storeName: null, part: 'bonus', adjusted: 20, closing: 20 });
  };
  await check();
  on('2026-03-15');
  await rollUpReports(services);
  await check();
  await pay(inWest);
  on('2026-03-18');
  await expireValueOf(services, { merchantId: merchant.id });
  const { total } = await liabilityReport(staff, { from: '2026-03-15', to: '2026-03-18' });
  expect(total.bonus).toMatchObject({ opening: 820, granted: 200, expired: -200, closing: 820 });
});

test('vouchers are issued, used and expire by the days of the merchant’s clock', async () => {
  const { merchant, staff, services, inWest, customerId, on } = await createScene();
  const { owner } = database;
  const campaignId = await createCampaign(owner, merchant.id, { name: 'Ten off' });
  const give = async (given: { issuedAt?: string; expiresAt: string | null }) => {
    const issuedAt = new Date(given.issuedAt ?? '2026-01-05T04:00:00Z');
    const voucherCode = newVoucherCode();
    await owner`insert into vouchers ${owner({
      merchant_id: merchant.id,
      id: newId(issuedAt.getTime()),
      campaign_id: campaignId,
      customer_id: customerId,
      voucher_code: voucherCode,
      issued_at: issuedAt,
      expires_at: given.expiresAt,
    })}`;
    return voucherCode;
  };
  // In Singapore: the last moment of the 9th, the first of the 10th, the last of the 11th, the first of the 12th.
  const moments = [
    '2026-03-09T15:59:59.999Z',
    '2026-03-09T16:00:00Z',
    '2026-03-11T15:59:59.999Z',
    '2026-03-11T16:00:00Z',
  ];
  for (const moment of moments) {
    await give({ expiresAt: moment });
  }
  // Three, so that extra days of another zone can't replace missing ones.
  for (const issuedAt of moments.slice(0, 3)) await give({ issuedAt, expiresAt: null });
  const used = await give({ expiresAt: '2026-03-11T10:00:00Z' });
  on('2026-03-11');
  const bill = { amount: 2_000 };
  await redeemVoucher(inWest, { transactionId: newId(), customer: { customerId }, voucherCode: used, bill });
  on('2026-03-20');
  const results = { issued: 2, redeemed: 1, expired: 2, discount: 500 };
  const check = async () => {
    expect((await voucherReport(staff, period)).campaigns).toEqual([
      { campaignId, name: 'Ten off', everIssued: 8, ...results },
    ]);
    expect((await voucherReport(staff, { from: '2026-03-12', to: '2026-03-13' })).before).toEqual(results);
  };
  await check();
  await rollUpReports(services);
  await check();
});

test('a campaign whose only change is expired vouchers', async () => {
  const { merchant, staff, customerId, on } = await createScene();
  const { owner } = database;
  const campaignId = await createCampaign(owner, merchant.id, { name: 'Ten off' });
  await createCampaign(owner, merchant.id, { name: 'Of another time' });
  await owner`insert into vouchers ${owner({
    merchant_id: merchant.id,
    id: newId(Date.parse('2026-01-05T04:00:00Z')),
    campaign_id: campaignId,
    customer_id: customerId,
    voucher_code: 'GONE',
    issued_at: new Date('2026-01-05T04:00:00Z'),
    expires_at: new Date('2026-03-10T15:59:59.999Z'),
  })}`;
  on('2026-03-20');
  const nothing = { issued: 0, redeemed: 0, discount: 0 };
  expect((await voucherReport(staff, period)).campaigns).toEqual([
    { campaignId, name: 'Ten off', ...nothing, everIssued: 1, expired: 1 },
  ]);
});

test('staff of a named store see its figures alone, summed up or not, and nothing that is of no store', async () => {
  const { merchant, west, east, services, customerId, staff, on } = await createScene();
  const manager = await createStaff(database.owner, services, merchant.id, 'manager', [east.id]);
  const change = { customerId, part: 'principal' as const, expiresOn: null, reason: 'For the wait' };
  await adjustBalance(staff, { ...change, adjustmentId: newId(), direction: 'add', amount: 50 });
  await database.owner`
    insert into transactions (merchant_id, uid, transaction_id, type, status, amount, occurred_at, created_at, customer_id)
    values (${merchant.id}, ${newId(Date.parse('2026-03-11T05:00:00Z'))}, 'online', 'topUp', 'completed', 700,
      '2026-03-11T05:00:00Z', '2026-03-11T05:00:00Z', ${customerId})`;
  const check = async () => {
    const sales = await salesReport(manager, period);
    expect(sales.total).toMatchObject({ topUpCount: 2, topUps: 2_000 });
    expect(sales.stores.map(({ storeName }) => storeName)).toEqual(['East']);
    const { stores, total } = await liabilityReport(manager, period);
    expect(stores.map(({ storeName, part }) => [storeName, part])).toEqual([
      ['East', 'principal'],
      ['East', 'bonus'],
    ]);
    expect(total.principal).toMatchObject({ granted: 2_000, adjusted: 0 });
    for (const storeId of [west.id, newId()]) {
      await expect(salesReport(manager, { ...period, storeId })).rejects.toMatchObject({ code: 'store_not_found' });
    }
    const { outstanding, days, firstSteps } = await homeFigures(manager);
    expect(outstanding).toBeNull();
    expect(firstSteps).toBeNull();
    expect(days.reduce((sum, { topUps }) => sum + topUps, 0)).toBe(2_000);
  };
  on('2026-03-13');
  await check();
  on('2026-03-14');
  await rollUpReports(services);
  await check();
  expect(await needsAttention(manager)).toMatchObject({ limitsReached: null, expiringBonus: null, refundAlerts: null });
});

test('a period that has not begun has no figures, not those of today', async () => {
  const { staff } = await createScene();
  const future = { from: '2026-03-20', to: '2026-03-21' };
  const ahead = await salesReport(staff, future);
  expect(ahead.total).toMatchObject({ topUpCount: 0, topUps: 0 });
  expect(ahead.days.map(({ day, topUps }) => [day, topUps])).toEqual([
    ['2026-03-20', 0],
    ['2026-03-21', 0],
  ]);
  expect(await salesByDayAndStore(staff, future)).toEqual([]);
  const { principal } = (await liabilityReport(staff, future)).total;
  expect(principal).toMatchObject({ granted: 0, opening: 4_000, closing: 4_000 });
  const withToday = await salesReport(staff, { from: '2026-03-11', to: '2026-03-21' });
  expect([withToday.to, withToday.days.length, withToday.total.topUpCount]).toEqual(['2026-03-11', 1, 1]);
});
