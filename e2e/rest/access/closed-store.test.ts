/** A closed store: its own keys are invalid, and for a merchant-wide key it does not exist. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, stateOf } from '../expectations';
import { restApi } from '../harness';
import { createStage, operationsAtStore, performCall, type Stage } from '../operations';

const api = restApi();
let stage: Stage;

const setClosed = (closedAt: Date | null) => api.owner`
  update stores set closed_at = ${closedAt} where merchant_id = ${stage.merchant.id} and id = ${stage.merchant.stores[0].id}`;

beforeAll(async () => {
  stage = await createStage(api);
  await setClosed(new Date());
});

describe.each(Object.entries(operationsAtStore))('%s', (_, makeCall) => {
  test('404 with a merchant-wide key, 401 with one of the store; nothing changes', async () => {
    const before = await stateOf(api, stage.merchant.id);
    expectError(await performCall(api, stage.merchant.key, makeCall(stage, 'NORTH')), 404, 'store_not_found');
    expectError(await performCall(api, stage.key, makeCall(stage)), 401, 'invalid_api_key');
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });
});

test.each([
  ['/qr-codes', { billId: 'b1' }],
  ['/stock-outs', { plus: ['1'] }],
])('POST %s as well', async (path, body) => {
  const answer = await api.post(stage.merchant.key, path, { ...body, storeCode: 'NORTH' });
  expectError(answer, 404, 'store_not_found');
});

test('the other stores keep working, and so does the closed one once it is reopened', async () => {
  expect((await api.get(stage.merchant.stores[1].key, '/ping')).status).toBe(200);
  await setClosed(null);
  expect((await api.get(stage.key, '/ping')).body.store.storeCode).toBe('NORTH');
});
