import { expect, test } from 'vitest';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { createScene, ledgerViolations, newTransactionId, restApi } from './harness';

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
  const started = performance.now();
  const answer = await api.post(key, '/transactions/stored-value/redeem', redeem);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(performance.now() - started).toBeLessThan(5_000);
  await held`rollback`;
  held.release();

  expect((await api.get(key, `/transactions/${redeem.transactionId}`)).status).toBe(404);
  expect((await api.post(key, '/transactions/stored-value/redeem', redeem)).status).toBe(200);
  expect(await ledgerViolations(api)).toEqual([]);
});

test('the most that money and points can be is kept, and can be looked up', async () => {
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
