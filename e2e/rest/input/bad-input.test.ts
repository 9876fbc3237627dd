/** Invalid values for every field of every operation: 400 that names the field, the second time as the first. */
import { beforeAll, describe, expect, test } from 'vitest';
import { badValues, bodyFields, withRaw } from '../bad-values';
import { expectEachInvalid, expectError, expectTwiceInvalid, stateOf } from '../expectations';
import { ledgerViolations, restApi } from '../harness';
import { createStage, operations, type Stage, withOwnRules } from '../operations';
import { inputOf, procedures } from '../procedures';

const api = restApi();
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api);
});

const headers = () => ({ 'content-type': 'application/json', 'x-api-key': stage.key });

const callOf = (operation: string) => {
  const call = operations[operation]?.(stage);
  if (!call) throw new Error(`there is no operation ${operation}`);
  return call;
};

describe.each(Object.entries(bodyFields))('%s', (operation, fields) => {
  test('the table has all of its fields', () => {
    const top = fields.map(({ path }) => path).filter((path) => !path.includes('.'));
    expect(top.sort()).toEqual(Object.keys(inputOf(operation).shape).sort());
  });

  test.each(fields)('$path', async ({ path: field, kind }) => {
    const before = await stateOf(api, stage.merchant.id);
    const { path, body = {} } = callOf(operation);
    const requestOf = (raw: string) => ({ method: 'POST', headers: headers(), body: withRaw(body, field, raw) });
    await expectEachInvalid(api, path, badValues[kind].map(requestOf), field);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });

  test('missing required fields are all named at once', async () => {
    const { path } = callOf(operation);
    const { issues } = expectError(await api.post(stage.key, path, {}), 400, 'invalid_request');
    const required = Object.entries(inputOf(operation).shape).filter(([, schema]) => !schema.isOptional());
    expect(issues).toEqual(required.map(([name]) => ({ path: name, message: 'is required' })));
    expect(required.length).toBeGreaterThan(0);
  });

  test('a misspelt field is named, also next to invalid ones', async () => {
    const { path, body } = callOf(operation);
    for (const name of ['ammount', 'constructor', 'toString', 'hasOwnProperty', '0', ' ', 'ключ']) {
      const init = { method: 'POST', headers: headers(), body: JSON.stringify({ ...body, [name]: 1 }) };
      await expectTwiceInvalid(api, path, init, name);
    }
  });
});

test('a customer is named by exactly one field', async () => {
  const { path, body } = callOf('redeemStoredValue');
  const { id, phone, email } = stage.customer;
  const refs = [{}, { customerId: id, phone }, { phone, email }, { customerId: id, phone, email }];
  for (const customer of refs) {
    const init = { method: 'POST', headers: headers(), body: JSON.stringify({ ...body, customer }) };
    await expectTwiceInvalid(api, path, init, 'customer');
  }
  const misspelt = { method: 'POST', headers: headers(), body: JSON.stringify({ ...body, customer: { id } }) };
  await expectTwiceInvalid(api, path, misspelt, 'customer.id');
});

describe('the error', () => {
  const told = async (operation: string, given: object) => {
    const { path, body } = callOf(operation);
    const { error } = (await api.post(stage.key, path, { ...body, ...given })).body;
    return error as { message: string; issues: { path: string; message: string }[] };
  };

  test('has one reason per field', async () => {
    const { issues } = await told('redeemStoredValue', { amount: 1e20, billId: ' '.repeat(70), staffId: ' ' });
    expect(issues).toEqual([
      { path: 'billId', message: 'must not be blank' },
      { path: 'staffId', message: 'must not be blank' },
      { path: 'amount', message: 'must be at most 99999999999' },
    ]);
  });

  test('describes a value at an exclusive bound', async () => {
    const bill = {
      revision: 1,
      table: '7',
      currency: 'SGD',
      lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: 100, amount: 100 }],
      subtotal: 100,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total: 100,
      paidAtTill: [{ amount: 100, lines: [{ plu: 'A', quantity: 0 }] }],
    };
    const { body } = await api.put(stage.key, '/bills/b-1', bill);
    expect(body.error.message).toBe('The request is not valid: paidAtTill.0.lines.0.quantity must be more than 0.');
  });

  test('is bounded: three fields and how many more in the message, a hundred among the issues', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${n}`, 1]));
    const { message, issues } = await told('redeemStoredValue', many);
    expect(message).toMatch(/^The request is not valid: field0 is .*; field1 is .*; field2 is .*; and 497 more\.$/);
    expect(issues).toHaveLength(100);
  });
});

test('the table has every operation with a body', () => {
  const posts = procedures.filter(({ meta }) => meta.openapi?.method !== 'GET' && !meta.isSandboxOnly);
  const ids = posts.map(({ meta }) => meta.openapi?.operationId ?? '').filter((id) => !withOwnRules.includes(id));
  expect(Object.keys(bodyFields).sort()).toEqual(ids.sort());
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
