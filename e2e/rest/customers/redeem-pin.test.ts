/** The PIN of redemptions: when it is required, in which order it is checked, and how guessing is stopped. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { blockCustomer, createCustomer, createFixedPackage } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('redeemStoredValue', {
  elsewhere: [
    'invalid_api_key',
    'store_forbidden',
    'store_not_found',
    'transaction_id_conflict',
    'transaction_voided',
    'points_owed',
    'bill_closed',
    'customer_blocked',
    'bill_due_exceeded',
  ],
});
let scene: Scene;
let packageId: string;

beforeAll(async () => {
  scene = await createScene(api, { pin_required: true });
  packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 10_000, bonus: 0 });
});

const right = '4831';
const wrong = '4832';

/** A customer with a PIN and 100.00. */
async function customerWithPin(): Promise<string> {
  const { id } = await createCustomer(api.owner, scene.merchant.id, { pin: right });
  const body = { transactionId: newTransactionId(), customer: { customerId: id }, packageId };
  expect((await api.post(scene.key, '/transactions/stored-value/top-up', body)).status).toBe(200);
  return id;
}

const redeem = (customerId: string, body: Record<string, unknown> = {}) =>
  api.post(scene.key, '/transactions/stored-value/redeem', {
    transactionId: newTransactionId(),
    customer: { customerId },
    amount: 100,
    ...body,
  });

async function guessWrong(customerId: string, times: number) {
  for (let i = 0; i < times; i++) await redeem(customerId, { pin: wrong });
}

describe('with the right PIN', () => {
  test('the redemption is executed', async () => {
    expect(expectSuccess(await redeem(await customerWithPin(), { pin: right })).amountRedeemed).toBe(100);
  });

  test('the count is cleared', async () => {
    const id = await customerWithPin();
    await guessWrong(id, 4);
    expectSuccess(await redeem(id, { pin: right }));
    const { details } = expectError(await redeem(id, { pin: wrong }), 402, 'pin_invalid');
    expect(details.attemptsLeft).toBe(4);
  });

  test('the count is cleared even where the balance is too low', async () => {
    const id = await customerWithPin();
    await guessWrong(id, 3);
    expectError(await redeem(id, { pin: right, amount: 99_999 }), 402, 'insufficient_balance');
    expect(expectError(await redeem(id, { pin: wrong }), 402, 'pin_invalid').details.attemptsLeft).toBe(4);
  });

  test('no PIN is required to replay the first response', async () => {
    const id = await customerWithPin();
    const transactionId = newTransactionId();
    const first = await redeem(id, { transactionId, pin: right });
    for (const pin of [undefined, wrong]) {
      const again = await redeem(id, { transactionId, pin });
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(expectError(await redeem(id, { pin: wrong }), 402, 'pin_invalid').details.attemptsLeft).toBe(4);
  });
});

describe('order of checks', () => {
  test('first the shape, then the customer', async () => {
    const id = await customerWithPin();
    for (const pin of ['483', '48311', 'abcd', '４８３１', 4831, null, '']) {
      const { issues } = expectError(await redeem(id, { pin }), 400, 'invalid_request');
      expect(issues[0].path).toBe('pin');
    }
    expectError(await redeem(newId()), 404, 'customer_not_found');
    expect(expectError(await redeem(id, { pin: wrong }), 402, 'pin_invalid').details.attemptsLeft).toBe(4);
  });

  test('no balance is revealed before the PIN is right', async () => {
    const id = await customerWithPin();
    expectError(await redeem(id, { amount: 99_999 }), 400, 'pin_required');
    const refusal = expectError(await redeem(id, { amount: 99_999, pin: wrong }), 402, 'pin_invalid');
    expect(refusal.details).toEqual({ attemptsLeft: 4 });
  });

  test('a wrong PIN is counted, though the redemption would be refused anyway', async () => {
    const id = await customerWithPin();
    const guess = async (amount: number) =>
      expectError(await redeem(id, { amount, pin: wrong }), 402, 'pin_invalid').details.attemptsLeft;
    expect([await guess(99_999), await guess(99_999)]).toEqual([4, 3]);
    await blockCustomer(api.owner, id);
    expect([await guess(100), await guess(100)]).toEqual([2, 1]);
  });
});

test('400 pin_required names the field and is no outcome of the id', async () => {
  const id = await customerWithPin();
  const transactionId = newTransactionId();
  const { issues } = expectError(await redeem(id, { transactionId }), 400, 'pin_required');
  expect(issues).toEqual([{ path: 'pin', message: 'is required' }]);
  expectSuccess(await redeem(id, { transactionId, pin: right }));
});

test('402 pin_not_set is no outcome of the id', async () => {
  const { id } = await createCustomer(api.owner, scene.merchant.id);
  const transactionId = newTransactionId();
  expectError(await redeem(id, { transactionId, pin: right }), 402, 'pin_not_set');
  const lookUp = await api.get(scene.key, `/transactions/${transactionId}`);
  expect(lookUp.status).toBe(404);
});

describe('402 pin_invalid', () => {
  test('counts down, and the fifth locks for 15 minutes', async () => {
    const id = await customerWithPin();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect(expectError(await redeem(id, { pin: wrong }), 402, 'pin_invalid').details).toEqual({ attemptsLeft });
    }
    const { details } = expectError(await redeem(id, { pin: wrong }), 402, 'pin_locked');
    expect(details).toEqual({ retryAfterSeconds: 900 });
  });

  test('is no outcome of the id', async () => {
    const id = await customerWithPin();
    const transactionId = newTransactionId();
    expectError(await redeem(id, { transactionId, pin: wrong }), 402, 'pin_invalid');
    expect((await api.get(scene.key, `/transactions/${transactionId}`)).status).toBe(404);
    const answer = await redeem(id, { transactionId, pin: right });
    expectSuccess(answer);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  });
});

describe('402 pin_locked', () => {
  test('also for the right PIN, until the lock ends; and is no outcome of the id', async () => {
    const id = await customerWithPin();
    await guessWrong(id, 5);
    const transactionId = newTransactionId();
    const { retryAfterSeconds } = expectError(
      await redeem(id, { transactionId, pin: right }),
      402,
      'pin_locked',
    ).details;
    expect(retryAfterSeconds).toBeGreaterThan(850);
    expect(retryAfterSeconds).toBeLessThanOrEqual(900);
    await api.owner`update customer_pins set locked_until = now() where customer_id = ${id}`;
    expectSuccess(await redeem(id, { transactionId, pin: right }));
    expect(expectError(await redeem(id, { pin: wrong }), 402, 'pin_invalid').details.attemptsLeft).toBe(4);
  });

  test('doubles with each further lock, up to a day', async () => {
    const id = await customerWithPin();
    const seconds: number[] = [];
    for (let lock = 0; lock < 9; lock++) {
      await guessWrong(id, 4);
      seconds.push(expectError(await redeem(id, { pin: wrong }), 402, 'pin_locked').details.retryAfterSeconds);
      await api.owner`update customer_pins set locked_until = now() where customer_id = ${id}`;
    }
    expect(seconds).toEqual([900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400]);
  });

  test('stops 100 concurrent guesses after five, and slows no other customer', async () => {
    const id = await customerWithPin();
    const other = await customerWithPin();
    const guesses = Array.from({ length: 100 }, () => redeem(id, { pin: wrong }));
    const started = performance.now();
    expectSuccess(await redeem(other, { pin: right }));
    const seconds = (performance.now() - started) / 1_000;
    const answers = await Promise.all(guesses);
    const counted = answers.filter(({ body }) => body.error.code === 'pin_invalid');
    expect(counted.map(({ body }) => body.error.details.attemptsLeft).sort()).toEqual([1, 2, 3, 4]);
    for (const answer of answers.filter((one) => !counted.includes(one))) expectError(answer, 402, 'pin_locked');
    expect(seconds).toBeLessThan(10);
    const [row] = await api.owner`select failures, lockouts from customer_pins where customer_id = ${id}`;
    expect({ ...row }).toEqual({ failures: 0, lockouts: 1 });
    expectError(await redeem(id, { pin: right }), 402, 'pin_locked');
    expectSuccess(await redeem(other, { pin: right }));
  });
});

test('while the merchant requires none, a PIN is ignored; the setting applies from the next request on', async () => {
  const { id } = await createCustomer(api.owner, scene.merchant.id);
  const topUp = { transactionId: newTransactionId(), customer: { customerId: id }, packageId };
  await api.post(scene.key, '/transactions/stored-value/top-up', topUp);
  const locked = await customerWithPin();
  await guessWrong(locked, 5);
  await api.owner`update merchants set pin_required = false where id = ${scene.merchant.id}`;
  expectSuccess(await redeem(id, { pin: wrong }));
  expectSuccess(await redeem(id));
  expectSuccess(await redeem(locked, { pin: wrong }));
  expectError(await redeem(id, { pin: 'abcd' }), 400, 'invalid_request');
  await api.owner`update merchants set pin_required = true where id = ${scene.merchant.id}`;
  expectError(await redeem(id, { pin: wrong }), 402, 'pin_not_set');
  expectError(await redeem(locked, { pin: right }), 402, 'pin_locked');
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
