/** The key is checked before anything else: path, body, and any errors in them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '@/server/domain/access/api-key';
import { createKey } from '@/server/testing/factory';
import { expectError, stateOf } from '../expectations';
import { restApi } from '../harness';
import { type Call, performCall } from '../operations';
import { callOf, createFullStage, everyOperation, type FullStage } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
/** One call of every operation. */
let calls: [operation: string, call: Call][];
/** Invalid keys, by their defect. */
const badKeys: Record<string, string | undefined> = {};

beforeAll(async () => {
  stage = await createFullStage(api);
  calls = await Promise.all(
    everyOperation.map(async (name): Promise<[string, Call]> => [name, await callOf(api, name, stage)]),
  );
  const { merchant, key } = stage;
  const ofStore = (settings: object) => createKey(api.owner, merchant.id, merchant.stores[0].id, settings);
  const last = key.at(-1) === 'x' ? 'y' : 'x';
  Object.assign(badKeys, {
    missing: undefined,
    'not a key': 'abc',
    'cut short': key.slice(0, -1),
    'with more behind it': `${key}a`,
    'with a bad checksum': key.slice(0, -1) + last,
    'in other letters': key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase(),
    'twice over': `${key}, ${key}`,
    unknown: newApiKey('sandbox'),
    revoked: await ofStore({ revoked_at: new Date(Date.now() - 1_000) }),
    expired: await ofStore({ expires_at: new Date(Date.now() - 1_000) }),
    'of the other environment': await ofStore({ environment: 'live' }),
    'of the other deployment, unknown here': newApiKey('live'),
    'of the other environment, cut short': newApiKey('live').slice(0, -1),
    'an SQL injection': "' or '1'='1",
  });
});

const kinds = [
  'missing',
  'not a key',
  'cut short',
  'with more behind it',
  'with a bad checksum',
  'in other letters',
  'twice over',
  'unknown',
  'revoked',
  'expired',
  'of the other environment',
  'of the other deployment, unknown here',
  'of the other environment, cut short',
  'an SQL injection',
];

/** Messages that tell a developer how to fix the key; all other keys are only said to be invalid. */
const otherEnvironment = 'This is the sandbox, and the key is for production.';
const messages: Record<string, string> = {
  missing: 'The header x-api-key is missing.',
  'of the other environment': otherEnvironment,
  'of the other deployment, unknown here': otherEnvironment,
  'of the other environment, cut short': otherEnvironment,
};

test('a good key works', async () => {
  for (const key of [stage.key, stage.merchant.key]) expect((await api.get(key, '/ping')).status).toBe(200);
  const later = await createKey(api.owner, stage.merchant.id, null, { expires_at: new Date(Date.now() + 60_000) });
  expect((await api.get(later, '/ping')).status).toBe(200);
});

describe.each(kinds)('a key %s', (kind) => {
  test('401 for every operation, and nothing changes', async () => {
    // The use of a key that has ended is recorded.
    const state = async () => ({ ...(await stateOf(api, stage.merchant.id)), audit_log: null });
    const before = await state();
    for (const [operation, call] of calls) {
      const answer = await performCall(api, badKeys[kind], call);
      const { message, details } = expectError(answer, 401, 'invalid_api_key');
      expect(message, operation).toBe(messages[kind] ?? 'The API key is not valid.');
      expect(details).toEqual({});
    }
    expect(await state()).toEqual(before);
  });

  test('401 before anything else is checked', async () => {
    const key = badKeys[kind];
    const headers = { ...(key === undefined ? {} : { 'x-api-key': key }), 'content-type': 'application/json' };
    const redeem = '/transactions/stored-value/redeem';
    const requests: [string, RequestInit][] = [
      ['/no/such/path', {}],
      ['/ping', { method: 'DELETE' }],
      [redeem, { method: 'POST', body: '{"transactionId": ' }],
      [redeem, { method: 'POST', body: '' }],
      [redeem, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) }],
      [redeem, { method: 'PUT', body: '[]' }],
      ['/transactions/%00', {}],
    ];
    for (const [path, init] of requests)
      expectError(await api.send(path, { headers, ...init }), 401, 'invalid_api_key');
  });
});

test('a revoked or expired key is rejected from the next request on', async () => {
  const { merchant } = stage;
  for (const column of ['revoked_at', 'expires_at']) {
    const key = await createKey(api.owner, merchant.id, merchant.stores[0].id);
    expect((await api.get(key, '/ping')).status).toBe(200);
    await api.owner`
      update api_keys set ${api.owner(column)} = now() - interval '1 millisecond'
      where merchant_id = ${merchant.id} and last_four = ${key.slice(-4)}`;
    expectError(await api.get(key, '/ping'), 401, 'invalid_api_key');
  }
});

test('header names are case-insensitive', async () => {
  expect((await api.send('/ping', { headers: { 'X-API-KEY': stage.key } })).status).toBe(200);
});

test('a key in the URL or as a bearer token is not accepted', async () => {
  expectError(await api.get(undefined, `/ping?x-api-key=${stage.key}`), 401, 'invalid_api_key');
  const headers = { authorization: `Bearer ${stage.key}` };
  expectError(await api.send('/ping', { headers }), 401, 'invalid_api_key');
});

describe('404 endpoint_not_found, with a good key', () => {
  test.each([
    ['GET', '/no/such/path'],
    ['GET', '/PING'],
    ['GET', '/customers'],
    ['GET', '/constructor'],
    ['GET', '/__proto__'],
    ['POST', '/ping'],
    ['PUT', '/customers'],
    ['PATCH', '/customers'],
    ['DELETE', '/transactions/x'],
    ['OPTIONS', '/ping'],
    ['GET', `${'/x'.repeat(500)}`],
  ])('%s %s', async (method, path) => {
    const answer = await api.send(path, { method, headers: { 'x-api-key': stage.key } });
    const { message } = expectError(answer, 404, 'endpoint_not_found');
    expect(message.length).toBeLessThan(300);
  });
});
