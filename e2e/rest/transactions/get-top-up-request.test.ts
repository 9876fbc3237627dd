import { beforeAll, describe, expect, test } from 'vitest';
import { createTopUpRequest } from '@/server/testing/factory';
import { operationSuite, stateOf } from '../expectations';
import { newTransactionId, restApi } from '../harness';
import { createStage, type Stage } from '../operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('getTopUpRequest');
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api);
});

const look = (code: string, key = stage.key) => api.get(key, `/top-up-requests/${encodeURIComponent(code)}`);
const begin = (settings: object = {}) =>
  createTopUpRequest(api.owner, stage.merchant.id, {
    customerId: stage.customer.id,
    packageId: stage.packageId,
    ...settings,
  });

describe('200', () => {
  test('returns customer, amount and credit, at every store', async () => {
    const expected = {
      counterCode: stage.counterCode,
      customer: { customerId: stage.customer.id, givenName: 'Ada', lastName: 'Tester' },
      packageId: stage.packageId,
      packageName: 'Package',
      amount: 10_000,
      bonus: 2_000,
      credited: 12_000,
      currency: 'SGD',
      expiresAt: expect.stringMatching(/Z$/),
    };
    const { stores, key } = stage.merchant;
    for (const one of [...stores.map((store) => store.key), key]) {
      expect(expectSuccess(await look(stage.counterCode, one))).toEqual(expected);
    }
  });

  test('returns the open one of two with the same code', async () => {
    const code = await begin({ state: 'cancelled' });
    await begin({ counter_code: code, principal: 700, bonus: 0 });
    await begin({ counter_code: code, state: 'expired' });
    expect(expectSuccess(await look(code))).toMatchObject({ amount: 700, credited: 700 });
  });

  test('changes nothing', async () => {
    const before = await stateOf(api, stage.merchant.id);
    expectSuccess(await look(stage.counterCode));
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });
});

test('400 invalid_request for an invalid code', async () => {
  for (const code of ['12345', '1234567', 'abcdef', '12 456', '１２３４５６']) {
    const { issues } = expectError(await look(code), 400, 'invalid_request');
    expect(issues).toEqual([{ path: 'counterCode', message: 'must be exactly six digits' }]);
  }
});

test('401 invalid_api_key', async () => {
  expectError(await look(stage.counterCode, 'sk_sandbox_nonsense'), 401, 'invalid_api_key');
});

describe('402 top_up_request_closed', () => {
  test('once it was credited', async () => {
    const counterCode = await begin();
    await api.post(stage.key, '/transactions/stored-value/top-up', {
      transactionId: newTransactionId(),
      customer: { customerId: stage.customer.id },
      packageId: stage.packageId,
      counterCode,
    });
    const { details } = expectError(await look(counterCode), 402, 'top_up_request_closed');
    expect(details).toEqual({ state: 'credited' });
  });

  test('once it was cancelled or has expired, even before the job has marked it', async () => {
    const closed = [
      ['cancelled', await begin({ state: 'cancelled' })],
      ['expired', await begin({ state: 'expired' })],
      ['expired', await begin({ expires_at: new Date(Date.now() - 1_000) })],
    ] as const;
    for (const [state, code] of closed) {
      expect(expectError(await look(code), 402, 'top_up_request_closed').details).toEqual({ state });
    }
  });
});

test('404 top_up_request_not_found for an unknown code, and for one of another merchant', async () => {
  const other = await createStage(api);
  const unused = ['000000', '000001', '000002'].find((code) => code !== stage.counterCode) as string;
  const { message } = expectError(await look(unused), 404, 'top_up_request_not_found');
  expect(message).toBe('There is no top-up with this code.');
  if (other.counterCode !== stage.counterCode) {
    expectError(await look(other.counterCode), 404, 'top_up_request_not_found');
  }
});

coversReference();
