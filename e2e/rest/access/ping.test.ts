import { beforeAll, expect, test } from 'vitest';
import { operationSuite } from '../expectations';
import { createScene, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('ping');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api, { name: 'Kopi & Kaya', currency: 'JPY', time_zone: 'Asia/Tokyo' });
});

test('200 returns the key’s merchant and store', async () => {
  const answer = await api.get(scene.key, '/ping');
  expect(expectSuccess(answer)).toEqual({
    environment: 'sandbox',
    merchant: { name: 'Kopi & Kaya', currency: 'JPY', timeZone: 'Asia/Tokyo' },
    store: { storeCode: 'NORTH', name: 'Store NORTH' },
    stores: [{ storeCode: 'NORTH', name: 'Store NORTH' }],
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('200 says that a key is merchant-wide, and which open stores it may name', async () => {
  const { merchant } = await createScene(api);
  const south = { storeCode: 'SOUTH', name: 'Store SOUTH' };
  const { store, stores } = expectSuccess(await api.get(merchant.key, '/ping'));
  expect({ store, stores }).toEqual({ store: null, stores: [{ storeCode: 'NORTH', name: 'Store NORTH' }, south] });
  await api.owner`update stores set closed_at = now() where id = ${merchant.stores[0].id}`;
  expect(expectSuccess(await api.get(merchant.key, '/ping')).stores).toEqual([south]);
});

test('200 shows a changed setting from the next request on', async () => {
  await api.owner`update merchants set name = 'Renamed' where id = ${scene.merchant.id}`;
  expect(expectSuccess(await api.get(scene.key, '/ping')).merchant.name).toBe('Renamed');
});

test.each([true, false])('no response is cached (valid key: %s)', async (isGood) => {
  const { headers } = await api.get(isGood ? scene.key : undefined, '/ping');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('every response has its own request id', async () => {
  const answers = await Promise.all([api.get(scene.key, '/ping'), api.get(scene.key, '/ping')]);
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(2);
});

test('400 invalid_request for an unknown field', async () => {
  const { issues } = expectError(await api.get(scene.key, '/ping?verbose=1'), 400, 'invalid_request');
  expect(issues).toEqual([{ path: 'verbose', message: 'is not a field of this request' }]);
});

test('401 invalid_api_key', async () => {
  expectError(await api.get(undefined, '/ping'), 401, 'invalid_api_key');
});

coversReference();
