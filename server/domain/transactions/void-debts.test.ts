/** Points owed for a customer's voided sale are paid from points that come back, and from no others. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { authenticateKey } from '../access/authenticate';
import { balancesByPhone } from '../customers/balances';
import type { PosContext } from '../kernel/context';
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { submitSale } from '../sales/submit';
import { voidTransactions } from './void';

const database = sharedDatabase();
let ctx: PosContext;
let phone: string;
let now: Date;
/** Each reading of the clock is a millisecond later, so that later changes have later times. */
let looks = 0;
const clock = { now: () => new Date(now.getTime() + ++looks) };

afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

/** Points expire at the end of the following month. */
beforeEach(async () => {
  now = new Date('2026-01-10T04:00:00Z');
  const { owner, db } = database;
  const merchant = await createMerchant(owner, { points_expiry_months: 1 });
  ({ phone } = await createCustomer(owner, merchant.id));
  ctx = await authenticateKey(testServices(db, clock), merchant.stores[0].key);
});

/** Earns ten points. */
const sell = (transactionId: string) =>
  submitSale(ctx, {
    transactionId,
    customer: { phone },
    closedAt: now.toISOString(),
    lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: 1_000, amount: 1_000 }],
    subtotal: 1_000,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 1_000,
    payments: [{ method: 'cash', amount: 1_000 }],
  });
const spendTen = (transactionId: string) => redeemPoints(ctx, { transactionId, customer: { phone }, points: 10 });
const owedAfterVoiding = async (...transactionIds: string[]) => {
  const { results } = await voidTransactions(ctx, { transactionIds });
  return results.map(({ pointsShortfall = 0 }) => pointsShortfall);
};
const points = async () => (await balancesByPhone(ctx, { phone })).points.balance;

test('points that come back past their time pay the sale that earned them, and leave others alone', async () => {
  await sell('january');
  await spendTen('spent');
  expect(await owedAfterVoiding('january')).toEqual([10]);
  now = new Date('2026-03-10T04:00:00Z');
  await sell('march');
  await owedAfterVoiding('spent');
  expect(await owedAfterVoiding('january')).toEqual([0]);
  expect(await points()).toBe(10);
});

test('points that come back past their time pay for no other sale', async () => {
  await sell('january');
  await spendTen('spent in january');
  now = new Date('2026-03-10T04:00:00Z');
  await sell('march');
  await spendTen('spent in march');
  expect(await owedAfterVoiding('march')).toEqual([10]);
  await owedAfterVoiding('spent in january');
  expect(await owedAfterVoiding('march')).toEqual([10]);
  expect(await points()).toBe(0);
  // A later sale pays it. When the points come back that it paid for, they are the later sale's.
  await sell('later');
  expect(await owedAfterVoiding('march')).toEqual([0]);
  expect(await points()).toBe(0);
  await owedAfterVoiding('spent in march');
  expect(await owedAfterVoiding('march')).toEqual([0]);
  expect(await points()).toBe(10);
});

test('points that come back past their time go to those that made up for them', async () => {
  await sell('january');
  await spendTen('spent');
  now = new Date('2026-02-10T04:00:00Z');
  await sell('february');
  now = new Date('2026-03-10T04:00:00Z');
  expect(await owedAfterVoiding('january')).toEqual([0]);
  expect(await points()).toBe(0);
  await owedAfterVoiding('spent');
  expect(await points()).toBe(10);
});

test.each([
  ['before they are past their time', ['2026-02-10', '2026-02-10', '2026-02-10']],
  ['when two grants were made up for by a third', ['2026-03-10', '2026-03-10', '2026-04-10']],
])('points that come back make up for what was taken, %s', async (_, [second, third, back]) => {
  await sell('january');
  await spendTen('spent');
  now = new Date(`${second}T04:00:00Z`);
  await sell('next');
  await owedAfterVoiding('january');
  now = new Date(`${third}T05:00:00Z`);
  await sell('last');
  await owedAfterVoiding('next');
  expect(await points()).toBe(0);
  now = new Date(`${back}T06:00:00Z`);
  await owedAfterVoiding('spent');
  expect(await points()).toBe(10);
  now = new Date(back === '2026-02-10' ? '2026-03-10T04:00:00Z' : `${back}T07:00:00Z`);
  expect(await points()).toBe(10);
});

test('an already voided sale is told what it owes after the batch, not before', async () => {
  await sell('sale');
  await spendTen('spent');
  expect(await owedAfterVoiding('sale')).toEqual([10]);
  expect(await owedAfterVoiding('sale', 'spent')).toEqual([0, 0]);
});

test.each([
  ['with the sales', [['first', 'second', 'spent at once']]],
  ['after them', [['second', 'first'], ['spent at once']]],
])('of two sales voided together the older is paid first, by a redemption voided %s', async (_, batches) => {
  await sell('kept');
  await spendTen('spent at once');
  await sell('first');
  await spendTen('spent next');
  await sell('second');
  await spendTen('spent last');
  for (const batch of batches) await owedAfterVoiding(...batch);
  expect(await owedAfterVoiding('first', 'second')).toEqual([0, 10]);
});
