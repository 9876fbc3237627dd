/**
 * Spellings of URLs, on a separate service: Next rewrites some of them (`//`, a trailing slash, bad percent-encoding)
 * before any route sees them, so only the front door can handle them.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyFields } from '../bad-values';
import { expectError, expectTwiceInvalid, stateOf } from '../expectations';
import { restApi } from '../harness';
import { createStage, operations, type Stage } from '../operations';

const api = restApi({ own: true });
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

describe('URLs that match no operation', () => {
  test.each([
    '',
    '/',
    '?ping',
    '/ping/',
    '//ping',
    '/%70ing',
    '/%ff%zz',
    '/customers/phone//balances',
    '/transactions/',
  ])('%j: 401 without a key, 404 with one', async (path) => {
    expectError(await api.get(undefined, path), 401, 'invalid_api_key');
    expectError(await api.get(stage.key, path), 404, 'endpoint_not_found');
  });

  test('401 without a key, also where the encoding is broken', async () => {
    for (const path of ['/transactions/%', '/transactions/%ff', '/transactions/x?storeCode=%zz', '/ping?a=1&a=1']) {
      expectError(await api.get(undefined, path), 401, 'invalid_api_key');
    }
  });
});

describe('fields in the URL', () => {
  const broken = ['%', '%z', '%zz', '%ff', '%00', 'a%00b', '%ED%A0%80', '%C0%80', '%F8%88%80%80%80', 'x'.repeat(300)];
  const ofPath: [string, (value: string) => string][] = [
    ['phone', (value) => `/customers/phone/${value}/balances`],
    ['email', (value) => `/customers/email/${value}/balances`],
    ['storeCode', (value) => `/stores/${value}/stored-value-packages`],
    ['transactionId', (value) => `/transactions/${value}`],
  ];

  test.each(ofPath)('%s', async (field, toPath) => {
    const before = await stateOf(api, stage.merchant.id);
    for (const value of broken) await expectTwiceInvalid(api, toPath(value), { headers: headers() }, field);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });

  const gets = ['getCustomerBalancesByPhone', 'getCustomerBalancesByEmail', 'getTransaction'];

  test.each(gets)('storeCode in the query of %s', async (operation) => {
    const { path } = callOf(operation);
    for (const value of [...broken, '']) {
      await expectTwiceInvalid(api, `${path}?storeCode=${value}`, { headers: headers() }, 'storeCode');
    }
    await expectTwiceInvalid(api, `${path}?storeCode`, { headers: headers() }, 'storeCode');
    await expectTwiceInvalid(api, `${path}?storeCode=NORTH&storeCode=NORTH`, { headers: headers() }, 'storeCode');
    await expectTwiceInvalid(api, `${path}?storeCode=NORTH&storeC%6Fde=SOUTH`, { headers: headers() }, 'storeCode');
  });

  test.each([...gets, 'ping', 'listStoredValuePackages'])('unknown fields in the query of %s', async (operation) => {
    const { path } = callOf(operation);
    for (const name of ['verbose', 'constructor', '__proto__', 'toString', 'store_code', 'storeCode[]']) {
      await expectTwiceInvalid(api, `${path}?${name}=NORTH`, { headers: headers() }, name);
    }
    await expectTwiceInvalid(api, `${path}?%5F_proto__=NORTH`, { headers: headers() }, '__proto__');
    await expectTwiceInvalid(api, `${path}?__proto__[storeCode]=NORTH`, { headers: headers() }, '__proto__[storeCode]');
    await expectTwiceInvalid(api, `${path}?%ff=1`, { headers: headers() }, '');
  });

  test('a path field cannot be repeated in the query', async () => {
    const phone = encodeURIComponent(stage.customer.phone);
    await expectTwiceInvalid(api, `/customers/phone/${phone}/balances?phone=${phone}`, { headers: headers() }, 'phone');
    await expectTwiceInvalid(
      api,
      '/stores/NORTH/stored-value-packages?storeCode=NORTH',
      { headers: headers() },
      'storeCode',
    );
  });

  test.each(Object.keys(bodyFields))('%s accepts no query: a PIN in a URL would end up in logs', async (operation) => {
    const before = await stateOf(api, stage.merchant.id);
    const { path, body } = callOf(operation);
    for (const name of ['pin', 'amount', 'storeCode', 'verbose']) {
      const init = { method: 'POST', headers: headers(), body: JSON.stringify(body) };
      await expectTwiceInvalid(api, `${path}?${name}=1234`, init, name);
    }
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });
});
