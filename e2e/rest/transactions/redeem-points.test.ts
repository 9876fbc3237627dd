import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { blockCustomer, createCustomer } from '@/server/testing/factory';
import { operationSuite, withoutRequestId } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { plainBill, plainSale } from '../ordering-operations';
import { oweFifty } from './owing';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('redeemPoints', {
  elsewhere: ['pin_required', 'pin_not_set', 'pin_invalid', 'pin_locked'],
});
let scene: Scene;

beforeAll(async () => {
  // A point is worth 2 cents; at least 50 at a time; they last three months.
  scene = await createScene(api, { point_value: 2, min_redeem_points: 50, points_expiry_months: 3 });
});

/** Earns points: one for each dollar. */
async function earn(customerId: string, points: number, rest: Record<string, unknown> = {}) {
  const answer = await api.post(scene.key, '/sales', plainSale(points * 100, { customer: { customerId }, ...rest }));
  expect(answer.status, answer.text).toBe(200);
}

/** A customer with 340 points. */
async function regular() {
  const customer = await createCustomer(api.owner, scene.merchant.id);
  await earn(customer.id, 340);
  return customer;
}

const redeem = (customerId: string, points: unknown, body: Record<string, unknown> = {}, key = scene.key) =>
  api.post(key, '/transactions/points/redeem', {
    transactionId: newTransactionId(),
    customer: { customerId },
    points,
    ...body,
  });

async function pointsOf(phone: string) {
  return (await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`)).body.points;
}

describe('200', () => {
  test('turns points into money off the bill', async () => {
    const { id, phone } = await regular();
    const transactionId = newTransactionId();
    expect(expectSuccess(await redeem(id, 300, { transactionId }))).toEqual({
      transactionId,
      status: 'completed',
      type: 'redeemPoints',
      customerId: id,
      pointsRedeemed: 300,
      amount: 600,
      points: { balance: 40, worth: 80 },
      currency: 'SGD',
      occurredAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      printText: [
        'Test Kitchen',
        'Points used                          300',
        'Discount                          -$6.00',
        'Points                                40',
      ].join('\n'),
    });
    expect(await pointsOf(phone)).toMatchObject({ balance: 40, worth: 80 });
  });

  test('the minimum allowed, and the whole balance', async () => {
    const { id } = await regular();
    expect(expectSuccess(await redeem(id, 50)).points.balance).toBe(290);
    expect(expectSuccess(await redeem(id, 290)).points.balance).toBe(0);
  });

  test('spends points that expire soonest first', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    await earn(id, 100);
    await earn(id, 60, { occurredAt: new Date(Date.now() - 31 * 24 * 3_600_000 + 10_000).toISOString() });
    const { expiring } = await pointsOf(phone);
    expect(expiring.map(({ points }: { points: number }) => points)).toEqual([60, 100]);
    expectSuccess(await redeem(id, 80));
    expect((await pointsOf(phone)).expiring).toEqual([{ points: 80, expiresAt: expiring[1].expiresAt }]);
  });

  test('worthless points give no discount, and print no minus', async () => {
    const { merchant, customer, key } = await createScene(api, { point_value: 0 });
    await api.post(key, '/sales', plainSale(10_000, { customer: { customerId: customer.id } }));
    const answer = expectSuccess(await redeem(customer.id, 100, {}, merchant.stores[0].key));
    expect(answer).toMatchObject({ amount: 0, points: { balance: 0, worth: 0 } });
    expect(answer.printText).toContain(' $0.00');
  });
});

test('400 invalid_request', async () => {
  const { issues } = expectError(await redeem(scene.customer.id, 0, { customer: undefined }), 400, 'invalid_request');
  expect(issues.map(({ path }: { path: string }) => path)).toEqual(['customer', 'points']);
});

test('401 invalid_api_key', async () => {
  expectError(await redeem(scene.customer.id, 50, {}, 'no key'), 401, 'invalid_api_key');
});

describe('402', () => {
  test('insufficient_points is the final outcome of the id', async () => {
    const { id, phone } = await regular();
    const request = { transactionId: newTransactionId() };
    const first = await redeem(id, 341, request);
    expect(expectError(first, 402, 'insufficient_points').details).toEqual({ balance: 340, requested: 341 });
    await earn(id, 500);
    const again = await redeem(id, 341, request);
    expect(withoutRequestId(again)).toBe(withoutRequestId(first));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await pointsOf(phone)).balance).toBe(840);
  });

  test('insufficient_points where the rest has expired', async () => {
    const { id } = await regular();
    await earn(id, 100);
    await api.owner`
      update lots set expires_at = now() - interval '1 second' where customer_id = ${id} and granted = 340`;
    expect(expectError(await redeem(id, 101), 402, 'insufficient_points').details.balance).toBe(100);
    expectSuccess(await redeem(id, 100));
  });

  test('customer_blocked', async () => {
    const { id } = await regular();
    await blockCustomer(api.owner, id);
    expectError(await redeem(id, 50), 402, 'customer_blocked');
  });

  test('points_owed while the customer owes points, if the merchant refuses that', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    await oweFifty(api, scene.key, id);
    await api.owner`update merchants set refuses_owing = true where id = ${scene.merchant.id}`;
    onTestFinished(async () => {
      await api.owner`update merchants set refuses_owing = false where id = ${scene.merchant.id}`;
    });
    await api.post(scene.key, '/sales', plainSale(4_000, { customer: { customerId: id } }));
    const { details } = expectError(await redeem(id, 50), 402, 'points_owed');
    expect(details).toEqual({ owed: 10 });
    await api.post(scene.key, '/sales', plainSale(6_000, { customer: { customerId: id } }));
    expectSuccess(await redeem(id, 50));
  });

  test('stored value does not count as points', async () => {
    expectError(await redeem(scene.customer.id, 50), 402, 'insufficient_points');
  });

  test('minimum_points_not_met returns the minimum and no balance', async () => {
    const { id } = await regular();
    const transactionId = newTransactionId();
    const { details, message } = expectError(await redeem(id, 49, { transactionId }), 402, 'minimum_points_not_met');
    expect(details).toEqual({ minRedeemPoints: 50, requested: 49 });
    expect(message).toContain('50 points');
    await api.owner`update merchants set min_redeem_points = 1 where id = ${scene.merchant.id}`;
    expectError(await redeem(id, 49, { transactionId }), 402, 'minimum_points_not_met');
    expectSuccess(await redeem(id, 49));
    await api.owner`update merchants set min_redeem_points = 50 where id = ${scene.merchant.id}`;
  });

  test('transaction_id_conflict and transaction_voided', async () => {
    const { id } = await regular();
    const request = { transactionId: newTransactionId() };
    expectSuccess(await redeem(id, 50, request));
    expectError(await redeem(id, 51, request), 402, 'transaction_id_conflict');
    await api.post(scene.key, '/transactions/void', { transactionIds: [request.transactionId] });
    expectError(await redeem(id, 50, request), 402, 'transaction_voided');
  });

  test('bill_closed: the bill has ended', async () => {
    const { id } = await regular();
    const billId = newTransactionId();
    await api.put(scene.key, `/bills/${billId}`, plainBill(5_000));
    await api.post(scene.key, `/bills/${billId}/close`, {});
    expect(expectError(await redeem(id, 100, { billId }), 402, 'bill_closed').details).toEqual({ state: 'closed' });
  });

  test('bill_due_exceeded: by what the points are worth', async () => {
    const { id } = await regular();
    const billId = newTransactionId();
    await api.put(scene.key, `/bills/${billId}`, plainBill(200));
    const { details } = expectError(await redeem(id, 101, { billId }), 402, 'bill_due_exceeded');
    expect(details).toEqual({ due: 200, held: 0, requested: 202 });
    expectSuccess(await redeem(id, 100, { billId }));
  });
});

test('403 store_forbidden', async () => {
  expectError(await redeem(scene.customer.id, 50, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
});

test('404 customer_not_found and store_not_found', async () => {
  expectError(await redeem(newId(), 50), 404, 'customer_not_found');
  const elsewhere = await redeem(scene.customer.id, 50, { storeCode: 'EAST' }, scene.merchant.key);
  expectError(elsewhere, 404, 'store_not_found');
});

test('30 concurrent on one balance: exactly the funded ones succeed', async () => {
  const { id, phone } = await regular();
  const answers = await Promise.all(Array.from({ length: 30 }, () => redeem(id, 50)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 402, 'insufficient_points');
  expect((await pointsOf(phone)).balance).toBe(40);
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
