import { describe, expect, test } from 'vitest';
import { runningClock } from '@/db/testing/running-clock';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();

test('after a 503, a look-up that finds nothing is final until the request is sent again', async () => {
  const { merchant, key } = await createScene(api);
  const packageId = await createFixedPackage(api.owner, merchant.id, { amount: 10_000, bonus: 0 });
  const { id } = await createCustomer(api.owner, merchant.id);
  const customer = { customerId: id };
  const topUp = { transactionId: newTransactionId(), customer, packageId };
  expect((await api.post(key, '/transactions/stored-value/top-up', topUp)).status).toBe(200);

  const redeem = { transactionId: newTransactionId(), customer, amount: 4_000 };
  const held = await api.owner.reserve();
  await held`begin`;
  await held`select from balances where customer_id = ${id} for update`;
  const clock = runningClock();
  const answer = await api.post(key, '/transactions/stored-value/redeem', redeem);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(clock.stop()).toBeLessThan(5_000);
  await held`rollback`;
  held.release();

  expect((await api.get(key, `/transactions/${redeem.transactionId}`)).status).toBe(404);
  expect((await api.post(key, '/transactions/stored-value/redeem', redeem)).status).toBe(200);
  expect(await ledgerViolations(api)).toEqual([]);
});

describe('a look-up during a commit', () => {
  /** Writes an id as if it were voided unseen; answers what commits it, or takes it back. */
  async function beginWriting({ merchant }: Scene, transactionId: string) {
    const writer = await api.owner.reserve();
    await writer`begin`;
    await writer`
      insert into transactions (merchant_id, uid, store_id, transaction_id, status, occurred_at, created_at, voided_at)
      values (${merchant.id}, uuidv7(), ${merchant.stores[0].id}, ${transactionId}, 'voided', now(), now(), now())`;
    return async (end: 'commit' | 'rollback') => {
      await writer.unsafe(end);
      writer.release();
    };
  }
  const someoneWaits = async () => {
    const waiting = await api.owner`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%on conflict do nothing%'`;
    return waiting.length > 0;
  };

  test.each([
    ['commit', 200],
    ['rollback', 404],
  ] as const)('waits for the %s, and answers %i', async (how, status) => {
    const scene = await createScene(api);
    const transactionId = newTransactionId();
    const end = await beginWriting(scene, transactionId);
    const answer = api.get(scene.key, `/transactions/${transactionId}`);
    await expect.poll(someoneWaits, { interval: 5, timeout: 5_000 }).toBe(true);
    await end(how);
    expect((await answer).status).toBe(status);
  });

  test('returns 503 where that takes long, and leaves nothing behind', async () => {
    const scene = await createScene(api);
    const transactionId = newTransactionId();
    const end = await beginWriting(scene, transactionId);
    const answer = await api.get(scene.key, `/transactions/${transactionId}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    await end('rollback');
    expect((await api.get(scene.key, `/transactions/${transactionId}`)).status).toBe(404);
    const kept = await api.owner`select from transactions where transaction_id = ${transactionId}`;
    expect(kept).toHaveLength(0);
  });
});

test('the maximum of money and points is stored, and can be looked up', async () => {
  const { merchant, key, customer } = await createScene(api, { point_value: 10_000 });
  const sale = (transactionId: string) => ({
    transactionId,
    customer: { customerId: customer.id },
    lines: [{ plu: 'X', name: 'Everything', quantity: 1, unitPrice: 99_999_999_999, amount: 99_999_999_999 }],
    subtotal: 99_999_999_999,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 99_999_999_999,
    payments: [{ method: 'cash', amount: 99_999_999_999 }],
    closedAt: new Date().toISOString(),
  });
  await api.owner`update merchants set earn_points = 1000000, earn_per_amount = 1 where id = ${merchant.id}`;
  const ids = [newTransactionId(), newTransactionId()];
  const [first, second] = [
    await api.post(key, '/sales', sale(ids[0] ?? '')),
    await api.post(key, '/sales', sale(ids[1] ?? '')),
  ];
  expect(first.body).toMatchObject({ pointsEarned: 99_999_999_999, points: { balance: 99_999_999_999 } });
  expect(second.body).toMatchObject({ pointsEarned: 0, points: { balance: 99_999_999_999 } });
  expect((await api.get(key, `/customers/phone/${encodeURIComponent(customer.phone)}/balances`)).status).toBe(200);
  const half = { transactionId: newTransactionId(), customer: { customerId: customer.id }, points: 1_000_000_000 };
  expect((await api.post(key, '/transactions/points/redeem', half)).status).toBe(200);
  const voided = await api.post(key, '/transactions/void', { transactionIds: ids });
  expect(voided.body.results[0]).toMatchObject({ status: 'voided', pointsShortfall: 1_000_000_000 });
  expect(await ledgerViolations(api)).toEqual([]);
});
