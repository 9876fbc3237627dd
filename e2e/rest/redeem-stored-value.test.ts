import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from './harness';

const path = '/transactions/stored-value/redeem';
const api = restApi();
let scene: Scene;
let packageId: string;

beforeAll(async () => {
  scene = await createScene(api);
  packageId = await createFixedPackage(api.owner, scene.merchant.id, {
    amount: 10_000,
    bonus: 2_000,
    bonus_expires_in_days: 30,
  });
});

/** A customer who topped up once: 100.00 and 20.00 bonus. */
async function richCustomer() {
  const customer = await createCustomer(api.owner, scene.merchant.id);
  const answer = await api.post(scene.key, '/transactions/stored-value/top-up', {
    transactionId: newTransactionId(),
    customer: { customerId: customer.id },
    packageId,
  });
  expect(answer.status).toBe(200);
  return customer;
}

describe('200', () => {
  test('spends what expires soonest first, and says what is left', async () => {
    const { phone, id } = await richCustomer();
    const transactionId = newTransactionId();
    const { status, body, headers } = await api.post(scene.key, path, {
      transactionId,
      customer: { phone },
      amount: 2_500,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      transactionId,
      status: 'completed',
      type: 'redeemStoredValue',
      customerId: id,
      amountRedeemed: 2_500,
      remainingDue: 0,
      bonusUsed: 2_000,
      principalUsed: 500,
      storedValue: { balance: 9_500, principal: 9_500, bonus: 0 },
      currency: 'SGD',
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('takes what there is with allowPartial', async () => {
    const { email } = await richCustomer();
    const { body } = await api.post(scene.key, path, {
      transactionId: newTransactionId(),
      customer: { email: email.toUpperCase() },
      amount: 15_000,
      allowPartial: true,
    });
    expect(body).toMatchObject({ amountRedeemed: 12_000, remainingDue: 3_000, storedValue: { balance: 0 } });
  });

  test('tells the first answer again, byte for byte', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 100 };
    const first = await api.post(scene.key, path, request);
    const again = await api.post(scene.key, path, { pin: '9999', ...request });
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

test('402 insufficient_balance is the outcome of the id, for ever', async () => {
  const { id } = await richCustomer();
  const request = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 12_001 };
  const first = await api.post(scene.key, path, request);
  expect(first.status).toBe(402);
  expect(first.body.error).toMatchObject({
    code: 'insufficient_balance',
    details: { balance: 12_000, requested: 12_001 },
  });
  const topUp = { transactionId: newTransactionId(), customer: { customerId: id }, packageId };
  expect((await api.post(scene.key, '/transactions/stored-value/top-up', topUp)).status).toBe(200);
  const again = await api.post(scene.key, path, request);
  expect(again.status).toBe(402);
  expect(again.body.error.details).toEqual(first.body.error.details);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
