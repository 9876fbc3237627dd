import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { rollUpReports } from './roll-up';

const database = ownDatabase();

/** A Friday, at noon in Singapore. */
const noon = new Date('2026-05-15T04:00:00Z');
const inHours = (hours: number) => new Date(noon.getTime() + hours * 60 * 60_000);

async function newMerchant() {
  const { owner, db } = database;
  let now = noon;
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const till = await authenticateKey(services, merchant.stores[0].key);
  const offer = { amount: 1_000, bonus: 200, bonus_expires_in_days: 5 };
  const packageId = await createFixedPackage(owner, merchant.id, offer);
  const customers = [await createCustomer(owner, merchant.id), await createCustomer(owner, merchant.id)];
  const at = (hours: number) => {
    now = inHours(hours);
  };
  const pay = (who: 0 | 1, transactionId = newId()) =>
    topUp(till, { transactionId, customer: { customerId: customers[who]?.id as string }, packageId });
  const call = async (role: 'owner' | 'cashier') => callAs(await createStaff(owner, services, merchant.id, role));
  return { merchant, services, till, customers, at, pay, call };
}

test('today, compared with the same day of last week up to the same time', async () => {
  const { at, pay, call, till, services, customers } = await newMerchant();
  const customer = { customerId: customers[0]?.id as string };
  const aWeek = 24 * 7;
  at(-aWeek - 13);
  await pay(0);
  at(-aWeek - 1);
  await pay(0);
  await pay(1);
  at(-aWeek + 1);
  await pay(1);
  await rollUpReports(services);
  at(-2);
  await pay(0, 'a mistake');
  await redeemStoredValue(till, { transactionId: 'lunch', customer, amount: 300 });
  at(-1);
  await pay(0);
  await voidTransactions(till, { transactionIds: ['a mistake', 'lunch'] });
  await redeemStoredValue(till, { transactionId: 'dinner', customer, amount: 400 });
  at(0);

  const { today, lastWeek, outstanding, days, firstSteps } = await (await call('owner')).home.figures();
  const noSales = { saleCount: 0, sales: 0, grossSaleCount: 0, grossSales: 0 };
  expect(lastWeek).toEqual({
    ...noSales,
    topUpCount: 2,
    topUps: 2_000,
    grossTopUpCount: 2,
    grossTopUps: 2_000,
    redemptionCount: 0,
    redemptions: 0,
    grossRedemptionCount: 0,
    grossRedemptions: 0,
    activeCustomers: 2,
  });
  expect(today).toEqual({
    ...noSales,
    topUpCount: 1,
    topUps: 1_000,
    // Net of the voided mistake and lunch.
    grossTopUpCount: 2,
    grossTopUps: 2_000,
    redemptionCount: 1,
    redemptions: 400,
    grossRedemptionCount: 2,
    grossRedemptions: 700,
    activeCustomers: 1,
  });
  // Last week's bonus has expired but is not written off yet, so it is still in the books.
  expect((outstanding?.principal ?? 0) + (outstanding?.bonus ?? 0)).toBe(5 * 1_200 - 400);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toMatchObject({ day: '2026-05-15', topUps: 1_000, redemptions: 400 });
  expect(days.at(-8)).toMatchObject({ day: '2026-05-08', topUps: 3_000 });
  // The till has been in use for more than a week.
  expect(firstSteps).toBeNull();
});

test('a day begins at the merchant’s midnight, today and a week ago', async () => {
  const { at, pay, call } = await newMerchant();
  // Half past eleven in the evening and half past midnight, a week ago and today. Each pair is on one day of UTC.
  for (const night of [-24 * 7, 0]) {
    at(night - 12.5);
    await pay(0);
    at(night - 11.5);
    await pay(0);
  }
  at(-11);
  const { today, lastWeek, days } = await (await call('owner')).home.figures();
  expect([today.topUpCount, lastWeek.topUpCount]).toEqual([1, 1]);
  expect(days.slice(-2).map(({ day, topUps }) => [day, topUps])).toEqual([
    ['2026-05-14', 1_000],
    ['2026-05-15', 1_000],
  ]);
  expect(days.at(-8)).toMatchObject({ day: '2026-05-08', topUps: 1_000 });
});

test('sales, and the paid and bonus parts of what customers hold', async () => {
  const { at, pay, call, till } = await newMerchant();
  at(-1);
  await pay(0);
  const lines = [{ plu: 'A', name: 'A', quantity: 1, unitPrice: 1_500, amount: 1_500 }];
  const sums = { subtotal: 1_500, discount: 0, serviceCharge: 0, tax: 0, total: 1_500 };
  const sale = { ...sums, closedAt: inHours(-1).toISOString(), lines, payments: [{ method: 'cash', amount: 1_500 }] };
  for (const transactionId of ['lunch', 'dinner', 'a mistake']) await submitSale(till, { ...sale, transactionId });
  await voidTransactions(till, { transactionIds: ['a mistake'] });
  at(0);
  const { today, outstanding } = await (await call('owner')).home.figures();
  expect(today).toMatchObject({ saleCount: 2, sales: 3_000, topUpCount: 1, topUps: 1_000, activeCustomers: 1 });
  expect(outstanding).toEqual({ principal: 1_000, bonus: 200 });
});

test('what needs attention, without amounts for a cashier', async () => {
  const { merchant, customers, at, pay, call } = await newMerchant();
  const { owner } = database;
  at(-24);
  await pay(0);
  await pay(1);
  at(0);
  const message = (hours: number, state: string) => ({
    merchant_id: merchant.id,
    customer_id: customers[0]?.id,
    kind: 'pin',
    channel: 'whatsapp',
    id: newId(inHours(hours).getTime()),
    state,
    created_at: inHours(hours),
  });
  await owner`insert into messages ${owner([
    ...[message(-24 * 8, 'failed'), message(-24 * 6, 'failed')],
    ...[message(-3, 'failed'), message(-2, 'delivered')],
  ])}`;
  const soldOut = (store: 0 | 1, plu: string, until: Date | null) => ({
    merchant_id: merchant.id,
    store_id: merchant.stores[store].id,
    plu,
    until,
    actor_kind: 'service',
    stocked_out_at: noon,
  });
  await owner`insert into stock_outs ${owner([
    ...[soldOut(0, 'A', null), soldOut(1, 'A', null)],
    ...[soldOut(0, 'B', inHours(1)), soldOut(0, 'C', inHours(-1))],
  ])}`;
  // Neither longer-lived bonus nor points expire within a week.
  const adjustment = { customerId: customers[0]?.id as string, direction: 'add' as const, reason: 'A present' };
  for (const [part, expiresOn] of [
    ['bonus', '2026-05-23'],
    ['points', '2026-05-18'],
  ] as const) {
    const given = { ...adjustment, adjustmentId: newId(), part, amount: 70, expiresOn };
    await (await call('owner')).customers.adjust(given);
  }
  const lateOrders = { count: 0, storeId: null };
  expect(await (await call('owner')).home.attention()).toEqual({
    lateOrders,
    limitsReached: 0,
    codeLimitsReached: 0,
    ownCustomers: 0,
    cardDifferences: 0,
    cardsStopped: false,
    failedMessages: 2,
    failingWebhooks: 0,
    soldOutItems: 2,
    expiringBonus: { amount: 400, customers: 2 },
    refundAlerts: [],
    disputes: [],
    refusedRefunds: [],
    overpaidBills: [],
    voidsStandOut: [],
    openBills: { count: 0, due: 0 },
  });
  const forCashier = {
    lateOrders,
    limitsReached: null,
    codeLimitsReached: null,
    ownCustomers: null,
    cardDifferences: null,
    cardsStopped: null,
    failedMessages: null,
    failingWebhooks: null,
    soldOutItems: 2,
    expiringBonus: null,
    refundAlerts: null,
    disputes: null,
    refusedRefunds: null,
    overpaidBills: null,
    voidsStandOut: null,
    openBills: { count: 0, due: null },
  };
  expect(await (await call('cashier')).home.attention()).toEqual(forCashier);
});

test('what needs no attention: late codes, unsent notices, expired bonus', async () => {
  const { merchant, customers, at, pay, call } = await newMerchant();
  const { owner } = database;
  // Valid to the end of the fifth day, which was yesterday. It is not written off yet.
  at(-24 * 6);
  await pay(0);
  at(0);
  const failed = (minute: number, kind: string, attempts: number, due_at: Date | null) => ({
    merchant_id: merchant.id,
    customer_id: customers[0]?.id,
    channel: 'whatsapp',
    state: 'failed',
    id: newId(inHours(-1).getTime() + minute * 60_000),
    kind,
    attempts,
    due_at,
    created_at: inHours(-1),
    subject: due_at && `top-up ${minute}`,
  });
  await owner`insert into messages ${owner([
    failed(1, 'code', 3, null),
    failed(2, 'top-up-receipt', 0, inHours(-1)),
    failed(3, 'top-up-receipt', 1, inHours(-1)),
  ])}`;
  expect(await (await call('owner')).home.attention()).toMatchObject({
    failedMessages: 1,
    expiringBonus: { amount: 0, customers: 0 },
  });
});

test('a customer whose only event today is a void was not active today', async () => {
  const { at, pay, call, till } = await newMerchant();
  at(-24);
  await pay(0, 'yesterday');
  at(-2);
  await voidTransactions(till, { transactionIds: ['yesterday'] });
  await pay(1);
  at(0);
  const { today } = await (await call('owner')).home.figures();
  expect(today).toMatchObject({ topUpCount: 0, topUps: 0, activeCustomers: 1 });
});

test('a merchant without any data', async () => {
  const { call } = await newMerchant();
  const { today, outstanding, firstSteps } = await (await call('owner')).home.figures();
  expect({ sales: today.sales, outstanding, firstSteps }).toEqual({
    sales: 0,
    outstanding: { principal: 0, bonus: 0 },
    firstSteps: { store: true, menu: false, package: true, tables: false, key: true, call: false, sale: false },
  });
});
