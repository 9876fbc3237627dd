/** The job that writes off expired value: alone, twice at once, beside spending, and after a crash half-way. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import type { PosContext } from '@/server/domain/kernel/context';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { topUp } from '@/server/domain/top-ups/top-up';
import { voidTransactions } from '@/server/domain/transactions/void';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { expireValue } from './expire';
import { verifyLedger } from './verify';

const database = ownDatabase();
let merchant: TestMerchant;
let packageId: string;
const day = 24 * 60 * 60_000;
const start = new Date('2026-03-01T04:00:00Z').getTime();
let now = start;
const services = () => testServices(database.db, { now: () => new Date(now) });
const later = 40 * day;

afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});
beforeEach(async () => {
  now = start;
  merchant = await createMerchant(database.owner);
  packageId = await createFixedPackage(database.owner, merchant.id, {
    amount: 1000,
    bonus: 200,
    bonus_expires_in_days: 30,
  });
});

let serial = 0;
const till = (): Promise<PosContext> => authenticateKey(services(), merchant.stores[0].key);
async function customerWithBonus() {
  const { id } = await createCustomer(database.owner, merchant.id);
  const transactionId = `top-up-${++serial}`;
  await topUp(await till(), { transactionId, customer: { customerId: id }, packageId });
  return { id, transactionId };
}
const balanceOf = async (customerId: string) => {
  const [row] =
    await database.owner`select principal::int, bonus::int, points::int from balances where customer_id = ${customerId}`;
  return { ...row };
};
const expiriesOf = (customerId: string) => database.owner`
  select e.amount::int, e.part, t.status from ledger_entries e join transactions t on t.uid = e.transaction_uid
  where e.customer_id = ${customerId} and e.kind = 'expiry' and t.type = 'expiry' order by e.id`;

test('writes off the bonus when its last day is over, not a moment before, and nothing else', async () => {
  const { id } = await customerWithBonus();
  const [lot] = await database.owner`select expires_at from lots where customer_id = ${id} and part = 'bonus'`;
  now = lot?.expires_at.getTime() - 1;
  expect(await expireValue(services())).toBe(0);
  expect(await balanceOf(id)).toEqual({ principal: 1000, bonus: 200, points: 0 });
  now += 1;
  expect(await expireValue(services())).toBe(1);
  expect(await balanceOf(id)).toEqual({ principal: 1000, bonus: 0, points: 0 });
  expect([...(await expiriesOf(id))]).toEqual([{ amount: -200, part: 'bonus', status: 'completed' }]);
});

test('a second run finds nothing more', async () => {
  const { id } = await customerWithBonus();
  now = start + later;
  expect(await expireValue(services())).toBe(1);
  expect(await expireValue(services())).toBe(0);
  expect(await expiriesOf(id)).toHaveLength(1);
});

test('several at once write each lot off once, for all merchants', async () => {
  const mine = await Promise.all([1, 2, 3].map(customerWithBonus));
  const first = merchant;
  merchant = await createMerchant(database.owner);
  packageId = await createFixedPackage(database.owner, merchant.id, {
    amount: 500,
    bonus: 50,
    bonus_expires_in_days: 1,
  });
  const another = await customerWithBonus();
  expect(merchant.id).not.toBe(first.id);
  now = start + later;
  const counts = await Promise.all([1, 2, 3, 4].map(() => expireValue(services())));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  for (const { id } of [...mine, another]) {
    expect(await balanceOf(id)).toMatchObject({ bonus: 0 });
    expect(await expiriesOf(id)).toHaveLength(1);
  }
});

test('beside redemptions nothing is lost, doubled or negative', async () => {
  const { id } = await customerWithBonus();
  now = start + later;
  const ctx = await till();
  const redemptions = Array.from({ length: 10 }, (_, n) =>
    redeemStoredValue(ctx, { transactionId: `r-${++serial}-${n}`, customer: { customerId: id }, amount: 100 }),
  );
  await Promise.all([...redemptions, expireValue(services()), expireValue(services())]);
  expect(await balanceOf(id)).toEqual({ principal: 0, bonus: 0, points: 0 });
});

describe('voids after expiry', () => {
  test('a top-up whose bonus has expired is reversed completely', async () => {
    const { id, transactionId } = await customerWithBonus();
    now = start + later;
    await expireValue(services());
    await voidTransactions(await till(), { transactionIds: [transactionId] });
    expect(await balanceOf(id)).toEqual({ principal: 0, bonus: 0, points: 0 });
  });
});

test('processes more than one batch', async () => {
  const { id } = await customerWithBonus();
  const [{ uid }] = await database.owner<[{ uid: string }]>`
    select transaction_uid as uid from lots where customer_id = ${id} limit 1`;
  await database.owner`
    with new_lots as (
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at)
      select ${merchant.id}, gen_random_uuid(), ${id}, ${uid}, 'points', 1, 1, ${new Date(start + day)}
      from generate_series(1, 2500) returning id
    ), entries as (
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount)
      select ${merchant.id}, ${uid}, ${id}, id, 'points', 'grant', 1 from new_lots
    )
    update balances set points = 2500 where customer_id = ${id}`;
  now = start + later;
  expect(await expireValue(services())).toBe(2501);
  expect(await balanceOf(id)).toEqual({ principal: 1000, bonus: 0, points: 0 });
});
