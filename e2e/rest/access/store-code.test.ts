/** Which store a request is for: the rules that hold for every operation at a store. */
import { beforeAll, describe, expect, test } from 'vitest';
import { documentedErrors, expectError, stateOf } from '../expectations';
import { restApi } from '../harness';
import { createStage, operationsAtStore, performCall, type Stage } from '../operations';

const api = restApi();
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api);
});

const storeIsOptional = ['getCustomerBalancesByPhone', 'getCustomerBalancesByEmail'];

describe.each(Object.entries(operationsAtStore))('%s', (operation, makeCall) => {
  test('a bound key implies its store, and may name it', async () => {
    for (const storeCode of [undefined, 'NORTH']) {
      const { status, text } = await performCall(api, stage.key, makeCall(stage, storeCode));
      expect(status, text).toBe(200);
    }
  });

  test('a merchant-wide key names the store', async () => {
    const { status, text } = await performCall(api, stage.merchant.key, makeCall(stage, 'NORTH'));
    expect(status, text).toBe(200);
  });

  test('403 store_forbidden where a bound key names another, whether there is one or not; nothing changes', async () => {
    const before = await stateOf(api, stage.merchant.id);
    for (const storeCode of ['SOUTH', 'EAST', 'north']) {
      expectError(await performCall(api, stage.key, makeCall(stage, storeCode)), 403, 'store_forbidden');
    }
    expect(documentedErrors(operation).get('store_forbidden')).toBe(403);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });

  test('404 store_not_found where a merchant-wide key names an unknown one; nothing changes', async () => {
    const before = await stateOf(api, stage.merchant.id);
    for (const storeCode of ['EAST', 'north']) {
      expectError(await performCall(api, stage.merchant.key, makeCall(stage, storeCode)), 404, 'store_not_found');
    }
    expect(documentedErrors(operation).get('store_not_found')).toBe(404);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });
});

const mustName = Object.entries(operationsAtStore).filter(
  ([operation]) => ![...storeIsOptional, 'listStoredValuePackages'].includes(operation),
);

test.each(mustName)('400 where a merchant-wide key names none: %s', async (_, makeCall) => {
  const before = await stateOf(api, stage.merchant.id);
  const answer = await performCall(api, stage.merchant.key, makeCall(stage));
  expect(expectError(answer, 400, 'invalid_request').issues).toEqual([
    { path: 'storeCode', message: 'is required with a merchant-wide key' },
  ]);
  expect(await stateOf(api, stage.merchant.id)).toEqual(before);
});

test('a key bound to a store by another name of it: the code may change, and holds from the next request on', async () => {
  const { merchant, customer } = await createStage(api);
  await api.owner`update stores set store_code = 'HARBOUR' where id = ${merchant.stores[0].id}`;
  const { body } = await api.get(merchant.stores[0].key, '/ping');
  expect(body.store.storeCode).toBe('HARBOUR');
  const path = `/customers/email/${encodeURIComponent(customer.email)}/balances`;
  expectError(await api.get(merchant.stores[0].key, `${path}?storeCode=NORTH`), 403, 'store_forbidden');
});
