import { beforeAll, describe, expect, test } from 'vitest';
import { operationSuite } from '../expectations';
import { newTransactionId, restApi } from '../harness';
import { createStage, newEmail, type Stage } from '../operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('getCustomerBalancesByEmail');
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api, { currency: 'JPY', country: 'JP' });
});

const path = (email: string) => `/customers/email/${encodeURIComponent(email)}/balances`;

describe('200', () => {
  test('is the same as by phone number', async () => {
    const { email, phone } = stage.customer;
    const byEmail = await api.get(stage.key, path(email));
    const byPhone = await api.get(stage.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
    expect(byEmail.text).toBe(byPhone.text);
    expect(expectSuccess(byEmail)).toMatchObject({
      currency: 'JPY',
      customer: { email },
      storedValue: { balance: 12_000, principal: 10_000, bonus: 2_000 },
    });
  });

  test('ignores letter case, and returns the address as stored', async () => {
    const email = newEmail().replace('new', 'New.Customer+tag');
    const names = { givenName: 'Mei', lastName: 'Tan' };
    const enrolled = await api.post(stage.key, '/customers', { ...names, email });
    expect(enrolled.status, enrolled.text).toBe(200);
    for (const written of [email, email.toUpperCase(), email.toLowerCase()]) {
      expect(expectSuccess(await api.get(stage.key, path(written))).customer).toMatchObject({ ...names, email });
    }
  });

  test('follows a redemption and its void', async () => {
    const { customer, key } = stage;
    const balance = async () => expectSuccess(await api.get(key, path(customer.email))).storedValue.balance;
    const transactionId = newTransactionId();
    const before = await balance();
    const redemption = { transactionId, customer: { email: customer.email }, amount: 700 };
    expect((await api.post(key, '/transactions/stored-value/redeem', redemption)).status).toBe(200);
    expect(await balance()).toBe(before - 700);
    expect((await api.post(key, '/transactions/void', { transactionIds: [transactionId] })).status).toBe(200);
    expect(await balance()).toBe(before);
  });
});

test('400 invalid_request for an invalid address', async () => {
  for (const email of ['nobody', 'a@b', 'a b@example.com', '@example.com', `${'x'.repeat(250)}@example.com`]) {
    const { issues } = expectError(await api.get(stage.key, path(email)), 400, 'invalid_request');
    expect(issues[0].path, email).toBe('email');
  }
});

test('401 invalid_api_key', async () => {
  expectError(await api.get('sk_sandbox_nonsense', path(stage.customer.email)), 401, 'invalid_api_key');
});

test('403 store_forbidden where a bound key names another store', async () => {
  expectError(await api.get(stage.key, `${path(stage.customer.email)}?storeCode=SOUTH`), 403, 'store_forbidden');
});

test('404 customer_not_found', async () => {
  expectError(await api.get(stage.key, path(newEmail())), 404, 'customer_not_found');
});

test('404 store_not_found where a merchant-wide key names an unknown store', async () => {
  const answer = await api.get(stage.merchant.key, `${path(stage.customer.email)}?storeCode=EAST`);
  expectError(answer, 404, 'store_not_found');
});

coversReference();
