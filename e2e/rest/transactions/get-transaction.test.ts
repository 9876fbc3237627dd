import { beforeAll, describe, expect, test } from 'vitest';
import { operationSuite, stateOf } from '../expectations';
import { newTransactionId, restApi } from '../harness';
import { createStage, type Stage } from '../operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('getTransaction');
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api);
});

const look = (id: string, key = stage.key) => api.get(key, `/transactions/${encodeURIComponent(id)}`);

async function redeem(amount: number, transactionId = newTransactionId()) {
  const body = { transactionId, customer: { customerId: stage.customer.id }, amount };
  return { transactionId, answer: await api.post(stage.key, '/transactions/stored-value/redeem', body) };
}

describe('200', () => {
  test('completed, with the first response', async () => {
    const { transactionId, answer } = await redeem(50);
    const found = expectSuccess(await look(transactionId));
    expect(found).toEqual({ transactionId, type: 'redeemStoredValue', status: 'completed', answer: answer.body });
    expect(JSON.stringify(found.answer)).toBe(answer.text);
    expect(expectSuccess(await look(stage.transactionId))).toMatchObject({ type: 'topUp', status: 'completed' });
  });

  test('refused, with the first refusal', async () => {
    const { transactionId, answer } = await redeem(99_999_999);
    const { requestId, ...error } = answer.body.error;
    expect(error.code).toBe('insufficient_balance');
    expect(expectSuccess(await look(transactionId))).toEqual({
      transactionId,
      type: 'redeemStoredValue',
      status: 'refused',
      answer: { error },
    });
  });

  test('voided, with the original response', async () => {
    const { transactionId, answer } = await redeem(50);
    await api.post(stage.key, '/transactions/void', { transactionIds: [transactionId] });
    expect(expectSuccess(await look(transactionId))).toEqual({
      transactionId,
      type: 'redeemStoredValue',
      status: 'voided',
      answer: answer.body,
      effect: expect.objectContaining({ returned: { principal: 0, bonus: 50, points: 0 }, shortfall: 0 }),
    });
  });

  test('voided before it was seen: no type, no response', async () => {
    const transactionId = newTransactionId();
    await api.post(stage.key, '/transactions/void', { transactionIds: [transactionId] });
    expect(expectSuccess(await look(transactionId))).toEqual({ transactionId, status: 'voided', answer: null });
  });

  test('changes nothing', async () => {
    const { transactionId } = await redeem(50);
    const before = await stateOf(api, stage.merchant.id);
    await look(transactionId);
    await look(newTransactionId());
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });

  test('works with a merchant-wide key that names the store', async () => {
    expectSuccess(await api.get(stage.merchant.key, `/transactions/${stage.transactionId}?storeCode=NORTH`));
  });
});

test('400 invalid_request for an invalid transactionId', async () => {
  for (const id of ['a b', 'ü', 'x'.repeat(65), 'a/b']) {
    const { issues } = expectError(await look(id), 400, 'invalid_request');
    expect(issues, id).toEqual([{ path: 'transactionId', message: 'must be 1 to 64 of A-Z a-z 0-9 . _ : -' }]);
  }
});

test('401 invalid_api_key', async () => {
  expectError(await look(stage.transactionId, 'no key'), 401, 'invalid_api_key');
});

test('403 store_forbidden', async () => {
  const answer = await api.get(stage.key, `/transactions/${stage.transactionId}?storeCode=SOUTH`);
  expectError(answer, 403, 'store_forbidden');
});

test('404 transaction_not_found: never seen, of another store, and malformed', async () => {
  expectError(await look(newTransactionId()), 404, 'transaction_not_found');
  expectError(await look(stage.transactionId, stage.merchant.stores[1].key), 404, 'transaction_not_found');
  const { transactionId, answer } = await redeem(0);
  expect(answer.status).toBe(400);
  expectError(await look(transactionId), 404, 'transaction_not_found');
});

test('404 store_not_found', async () => {
  const answer = await api.get(stage.merchant.key, `/transactions/${stage.transactionId}?storeCode=EAST`);
  expectError(answer, 404, 'store_not_found');
});

coversReference();
