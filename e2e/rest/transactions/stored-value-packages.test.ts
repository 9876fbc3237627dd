import { beforeAll, describe, expect, test } from 'vitest';
import { createFixedPackage, createOpenPackage } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('listStoredValuePackages');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api);
});

const path = (storeCode: string) => `/stores/${encodeURIComponent(storeCode)}/stored-value-packages`;
const fixed = { amount: 10_000, bonus: 2_000 };
const anHour = 3_600_000;

describe('200', () => {
  test('returns the price and the credit of each kind', async () => {
    const { merchant, key } = await createScene(api);
    const validUntil = new Date(Date.now() + anHour);
    const fixedId = await createFixedPackage(api.owner, merchant.id, {
      ...fixed,
      name: 'Top up 100, get 120',
      bonus_expires_in_days: 90,
      valid_until: validUntil,
      position: 1,
    });
    const openId = await createOpenPackage(api.owner, merchant.id, {
      min: 2_000,
      max: 50_000,
      basisPoints: 1_025,
      position: 2,
    });
    expect(expectSuccess(await api.get(key, path('NORTH')))).toEqual({
      currency: 'SGD',
      packages: [
        {
          packageId: fixedId,
          name: 'Top up 100, get 120',
          kind: 'fixed',
          amount: 10_000,
          minAmount: null,
          maxAmount: null,
          bonusAmount: 2_000,
          bonusPercent: null,
          creditedAmount: 12_000,
          bonusExpiresInDays: 90,
          validFrom: null,
          validUntil: validUntil.toISOString(),
        },
        {
          packageId: openId,
          name: 'Package',
          kind: 'open',
          amount: null,
          minAmount: 2_000,
          maxAmount: 50_000,
          bonusAmount: null,
          bonusPercent: 10.25,
          creditedAmount: null,
          bonusExpiresInDays: null,
          validFrom: null,
          validUntil: null,
        },
      ],
    });
  });

  test('holds those that are on offer at that store now, in the order of the merchant', async () => {
    const { merchant, key } = await createScene(api);
    const create = (settings: object) => createFixedPackage(api.owner, merchant.id, { ...fixed, ...settings });
    const [north, south] = merchant.stores;
    const last = await create({ position: 3 });
    const first = await create({ position: 1 });
    const onlyNorth = await create({ position: 2, storeIds: [north.id] });
    const onlySouth = await create({ position: 2, storeIds: [south.id] });
    const started = await create({ position: 4, valid_from: new Date(Date.now() - anHour) });
    await create({ valid_from: new Date(Date.now() + anHour) });
    await create({ valid_until: new Date(Date.now() - anHour) });
    await create({ archived_at: new Date() });

    const idsAt = async (apiKey: string, storeCode: string) =>
      expectSuccess(await api.get(apiKey, path(storeCode))).packages.map(
        (offer: { packageId: string }) => offer.packageId,
      );
    expect(await idsAt(key, 'NORTH')).toEqual([first, onlyNorth, last, started]);
    expect(await idsAt(merchant.key, 'SOUTH')).toEqual([first, onlySouth, last, started]);
  });

  test('is an empty list where nothing is on offer', async () => {
    expect(expectSuccess(await api.get(scene.key, path('NORTH')))).toEqual({ packages: [], currency: 'SGD' });
  });

  test('finds a store whose code needs URL-encoding', async () => {
    const { merchant } = await createScene(api);
    await api.owner`update stores set store_code = 'Östliche Filiale / 2' where id = ${merchant.stores[1].id}`;
    expectSuccess(await api.get(merchant.key, path('Östliche Filiale / 2')));
  });
});

test('400 invalid_request for an invalid storeCode', async () => {
  const { issues } = expectError(await api.get(scene.key, path('x'.repeat(65))), 400, 'invalid_request');
  expect(issues[0].path).toBe('storeCode');
});

test('401 invalid_api_key', async () => {
  expectError(await api.get(undefined, path('NORTH')), 401, 'invalid_api_key');
});

test('403 store_forbidden where the key is bound to another store, known or not', async () => {
  expectError(await api.get(scene.key, path('SOUTH')), 403, 'store_forbidden');
  expectError(await api.get(scene.key, path('EAST')), 403, 'store_forbidden');
});

test('404 store_not_found', async () => {
  expectError(await api.get(scene.merchant.key, path('EAST')), 404, 'store_not_found');
});

coversReference();
