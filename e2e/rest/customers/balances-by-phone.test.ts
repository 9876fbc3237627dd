import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { operationSuite } from '../expectations';
import { createScene, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('getCustomerBalancesByPhone');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api, { point_value: 2 });
});

const path = (phone: string) => `/customers/phone/${encodeURIComponent(phone)}/balances`;
const look = (phone: string, key = scene.key) => api.get(key, path(phone));

async function topUp(customerId: string, packageId: string) {
  const body = { transactionId: newTransactionId(), customer: { customerId }, packageId };
  const answer = await api.post(scene.key, '/transactions/stored-value/top-up', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describe('200', () => {
  test('of a new customer is all zeros', async () => {
    const { id, phone, email } = scene.customer;
    expect(expectSuccess(await look(phone))).toEqual({
      customer: {
        customerId: id,
        givenName: 'Ada',
        lastName: 'Tester',
        phone,
        email,
        birthday: null,
        birthMonthDay: null,
        tags: [],
        joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        hasPin: false,
      },
      pinRequired: false,
      currency: 'SGD',
      storedValue: { balance: 0, principal: 0, bonus: 0, expiring: [] },
      topUpsInProgress: [],
      points: { balance: 0, worth: 0, pointValue: 2, minRedeemPoints: 1, owed: 0, expiring: [] },
      vouchers: [],
    });
  });

  test('shows paid and bonus balances, and expiries, soonest first', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    const inDays = (days: number | null) =>
      createFixedPackage(api.owner, scene.merchant.id, { amount: 5_000, bonus: 500, bonus_expires_in_days: days });
    const late = await topUp(id, await inDays(60));
    const soon = await topUp(id, await inDays(30));
    await topUp(id, await inDays(null));
    expect(expectSuccess(await look(phone)).storedValue).toEqual({
      balance: 16_500,
      principal: 15_000,
      bonus: 1_500,
      expiring: [
        { amount: 500, expiresAt: soon.bonusExpiresAt },
        { amount: 500, expiresAt: late.bonusExpiresAt },
      ],
    });
  });

  test('does not count expired value, even before the job has run', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    const packageId = await createFixedPackage(api.owner, scene.merchant.id, {
      amount: 5_000,
      bonus: 500,
      bonus_expires_in_days: 30,
    });
    await topUp(id, packageId);
    await api.owner`
      update lots set expires_at = now() - interval '1 second' where customer_id = ${id} and part = 'bonus'`;
    expect(expectSuccess(await look(phone)).storedValue).toEqual({
      balance: 5_000,
      principal: 5_000,
      bonus: 0,
      expiring: [],
    });
  });

  test('lists the vouchers valid at the store now; without a store, those of every store', async () => {
    const { merchant, customer } = await createScene(api);
    const [north, south] = merchant.stores;
    const inAnHour = new Date(Date.now() + 3_600_000);
    let given = 0;
    const give = async (name: string, campaign: object = {}, voucher: object = {}) => {
      const campaignId = await createCampaign(api.owner, merchant.id, { name, ...campaign });
      // What ends first comes first.
      const expiresAt = new Date(inAnHour.getTime() + ++given * 1_000);
      await createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id, expiresAt, ...voucher });
    };
    await give('Everywhere', { valid_from: new Date() });
    await give('North', { storeIds: [north.id] });
    await give('South', { storeIds: [south.id] });
    await give('Both', { storeIds: [north.id, south.id] });
    await give('To come', { valid_from: inAnHour });
    await give('Past', {}, { expiresAt: new Date() });
    const names = async (key: string, query = '') => {
      const { vouchers } = expectSuccess(await api.get(key, `${path(customer.phone)}${query}`));
      return vouchers.map(({ name }: { name: string }) => name);
    };
    expect(await names(north.key)).toEqual(['Everywhere', 'North', 'Both']);
    expect(await names(south.key)).toEqual(['Everywhere', 'South', 'Both']);
    expect(await names(merchant.key)).toEqual(['Everywhere', 'North', 'South', 'Both']);
    expect(await names(merchant.key, '?storeCode=SOUTH')).toEqual(['Everywhere', 'South', 'Both']);
  });

  test('accepts the number as people write it', async () => {
    const { id, phone } = scene.customer;
    const national = phone.slice(3);
    const spaced = `+65 ${national.slice(0, 4)}-${national.slice(4)}`;
    for (const written of [phone, national, spaced, `${national.slice(0, 4)} ${national.slice(4)}`]) {
      expect(expectSuccess(await look(written)).customer.customerId, written).toBe(id);
    }
    expectSuccess(await api.get(scene.key, `/customers/phone/${phone}/balances`));
  });

  test('says whether a PIN is set and required, from the next request on', async () => {
    const own = await createScene(api);
    const { phone } = await createCustomer(api.owner, own.merchant.id, { pin: '4831' });
    expect(expectSuccess(await look(phone, own.key))).toMatchObject({ pinRequired: false, customer: { hasPin: true } });
    await api.owner`update merchants set pin_required = true where id = ${own.merchant.id}`;
    expect(expectSuccess(await look(phone, own.key)).pinRequired).toBe(true);
  });

  test('needs no storeCode with a merchant-wide key, and takes one', async () => {
    const { phone } = scene.customer;
    expectSuccess(await look(phone, scene.merchant.key));
    expectSuccess(await api.get(scene.merchant.key, `${path(phone)}?storeCode=SOUTH`));
    expectSuccess(await api.get(scene.key, `${path(phone)}?storeCode=NORTH`));
  });
});

test('400 invalid_request for an invalid phone number', async () => {
  for (const phone of ['12', 'abc', '+65 9123 4567 89012', '6591234567 ext. 5']) {
    const { issues } = expectError(await look(phone), 400, 'invalid_request');
    expect(issues, phone).toEqual([{ path: 'phone', message: 'is not a phone number' }]);
  }
});

test('401 invalid_api_key', async () => {
  expectError(await api.get(undefined, path(scene.customer.phone)), 401, 'invalid_api_key');
});

test('403 store_forbidden where a bound key names another store', async () => {
  expectError(await api.get(scene.key, `${path(scene.customer.phone)}?storeCode=SOUTH`), 403, 'store_forbidden');
});

test('404 customer_not_found', async () => {
  expectError(await look('+6581234567'), 404, 'customer_not_found');
});

test('404 store_not_found where a merchant-wide key names an unknown store', async () => {
  const answer = await api.get(scene.merchant.key, `${path(scene.customer.phone)}?storeCode=EAST`);
  expectError(answer, 404, 'store_not_found');
});

coversReference();
