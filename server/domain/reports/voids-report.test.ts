/** Who voided, refunded or paid out: what gross amounts have more than net ones. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { reportExports } from '@/server/csv/reports';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { cashOut } from '../stored-value/cash-out';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { refundPart } from '../transactions/refund-part';
import { voidTransactions } from '../transactions/void';
import { rollUpReports } from './roll-up';
import { salesReport } from './sales-report';
import { standsOut, voidsByActor, voidsReport } from './voids-report';

const database = ownDatabase();

test('lists a void, a partial refund and a cash-out with who made them, and they are gross less net', async () => {
  const { owner, db } = database;
  const merchant = await createMerchant(owner, { time_zone: 'UTC' });
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 0 });
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const services = testServices(db);
  const till = await authenticateKey(services, merchant.stores[0].key);
  const staff = await createStaff(owner, services, merchant.id);
  const customer = { customerId };
  await topUp(till, { transactionId: 'good', customer, packageId });
  await topUp(till, { transactionId: 'a mistake', customer, packageId });
  await voidTransactions(till, { transactionIds: ['a mistake'], reason: 'Wrong guest' });
  await redeemStoredValue(till, { transactionId: 'lunch', customer, amount: 500 });
  const [lunch] =
    await owner`select uid from transactions where merchant_id = ${merchant.id} and transaction_id = 'lunch'`;
  await refundPart(staff, { refundId: newId(), uid: lunch?.uid, amount: 120, reason: 'Cold soup' });
  await cashOut(till, { transactionId: 'goodbye', customer, amount: 300 });

  const day = (await owner<{ day: string }[]>`select (now() at time zone 'UTC')::date::text as day`)[0]?.day ?? '';
  const period = { from: day, to: day };
  const { items } = await voidsReport(staff, { ...period, limit: 10 });
  expect(items.map(({ kind, type, amount, by, reason }) => [kind, type, amount, by.kind, reason])).toEqual([
    ['cashOut', 'cashOut', 300, 'apiKey', null],
    ['partialRefund', 'redeemStoredValue', 120, 'staff', 'Cold soup'],
    ['void', 'topUp', 1_000, 'apiKey', 'Wrong guest'],
  ]);
  const first = await voidsReport(staff, { ...period, limit: 2 });
  const second = await voidsReport(staff, { ...period, limit: 2, after: first.nextCursor ?? '' });
  expect([...first.items, ...second.items]).toEqual(items);
  expect(await voidsReport(staff, { ...period, limit: 2, before: second.previousCursor ?? '' })).toMatchObject({
    items: first.items,
  });
  const file = await new Response(reportExports['report-voids']?.open(staff, period)).text();
  const [, ...lines] = file.trim().split('\n');
  expect(lines.map((line) => line.split(',').slice(1, 5))).toEqual([
    ['cashOut', 'cashOut', '3', 'SGD'],
    ['partialRefund', 'redeemStoredValue', '1.2', 'SGD'],
    ['void', 'topUp', '10', 'SGD'],
  ]);
  const actors = await voidsByActor(staff, period);
  expect(actors.map(({ kind, count, amount }) => [kind, count, amount])).toEqual([
    ['apiKey', 2, 1_300],
    ['staff', 1, 120],
  ]);
  const expected = { grossTopUps: 2_000, topUps: 700, grossRedemptions: 500, redemptions: 380 };
  expect((await salesReport(staff, period)).total).toMatchObject(expected);
  await rollUpReports(testServices(db, { now: () => new Date(Date.now() + 3_600_000) }));
  expect((await salesReport(staff, period)).total).toMatchObject(expected);
});

test.each([
  ['alone', [20], false],
  ['with few', [4, 1], false],
  ['like the others', [6, 5, 4], false],
  ['with three times as many as the others on average', [9, 3, 3], true],
])('who made them %s', (_, counts, expected) => {
  const all = counts.map((count) => ({ count }));
  expect(standsOut(all[0] as { count: number }, all)).toBe(expected);
});
