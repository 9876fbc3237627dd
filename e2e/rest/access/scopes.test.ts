/** What a key may do, and from where: its scope and its networks, for every operation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type KeyScope, tillScopes } from '@/db/kinds/lists';
import { createKey, createMerchant } from '@/server/testing/factory';
import { documented } from '../document';
import { documentedErrors, expectError, stateOf } from '../expectations';
import { ledgerViolations, restApi } from '../harness';
import { performCall } from '../operations';
import { callOf, createFullStage, type FullStage } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
const keys: Record<string, string> = {};
const sets: Record<string, KeyScope[]> = {
  none: [],
  ordering: ['ordering'],
  bills: ['bills'],
  loyalty: ['loyalty'],
  webhooks: ['webhooks'],
  // The last one: it resets the data.
  all: [...tillScopes],
};

async function setScene() {
  stage = await createFullStage(api);
  for (const [name, scopes] of Object.entries(sets)) keys[name] = await keyWith({ scopes });
  keys.elsewhere = await keyWith({ networks: elsewhere });
}
beforeAll(setScene);

const operationIds = documented.map(({ operation }) => operation.operationId);
/** The scopes that each operation needs, as the reference says. */
const needs = new Map(documented.map(({ operation: { operationId, security } }) => [operationId, security[0].apiKey]));
const scopesOf = (operation: string) => needs.get(operation) as KeyScope[];

const loopback = ['127.0.0.0/8', '::1/128'];
const elsewhere = ['203.0.113.0/24', '2001:db8::/32'];
const keyWith = (settings: Parameters<typeof createKey>[3]) =>
  createKey(api.owner, stage.merchant.id, storeOf(settings), settings);
/** Webhooks are of all stores. */
const storeOf = ({ scopes = [] }: { scopes?: KeyScope[] } = {}) =>
  scopes.includes('webhooks') ? null : stage.merchant.stores[0].id;
/** Refusals are recorded: everything else has to stay. */
const state = async () => ({ ...(await stateOf(api, stage.merchant.id)), audit_log: null });
const entries = (merchantId: string) =>
  api.owner`
    select action, actor_kind, actor_id, after from audit_log
    where merchant_id = ${merchantId} and action like 'apiKey.%' order by id`.then((rows) =>
    rows.map(({ after, ...row }) => ({ ...row, after: JSON.parse(after) })),
  );

test('operations that only read are the GETs, and all others need a scope', () => {
  // The address of an endpoint may contain a secret.
  const reads = documented
    .filter(({ method, path }) => method === 'GET' && path !== '/webhook-endpoints')
    .map(({ operation }) => operation.operationId);
  // Its faults concern only the key that sets them.
  const free = [...reads, 'setSandboxFaults'];
  expect(operationIds.filter((operation) => scopesOf(operation).length === 0).sort()).toEqual(free.sort());
});

describe.each(Object.keys(sets))('a key with the scopes: %s', (name) => {
  test.each(operationIds)('%s', async (operation) => {
    const key = keys[name] as string;
    const storeCode = name === 'webhooks' ? stage.merchant.stores[0].storeCode : undefined;
    const call = await callOf(api, operation, stage, storeCode);
    const needed = scopesOf(operation);
    if (needed.every((scope) => sets[name]?.includes(scope))) {
      const answer = await performCall(api, key, call);
      expect(answer.status, answer.text).toBe(200);
      return;
    }
    const before = await state();
    const { details, message } = expectError(await performCall(api, key, call), 403, 'scope_missing');
    const named = needed.length === 1 ? needed[0] : 'all';
    expect(details).toEqual({ scope: named });
    expect(message).toContain(named);
    // The scope comes first: the body is not even parsed.
    const nonsense = { headers: { 'x-api-key': key }, ...(call.method === 'GET' ? {} : { body: 'nonsense' }) };
    expectError(await api.send(call.path, { method: call.method, ...nonsense }), 403, 'scope_missing');
    expect(documentedErrors(operation).get('scope_missing')).toBe(403);
    expect(await state()).toEqual(before);
  });
});

test('operations that every key may use do not list the refusal', () => {
  for (const operation of operationIds)
    expect(documentedErrors(operation).has('scope_missing'), operation).toBe(scopesOf(operation).length > 0);
});

test('a key that was issued when ordering included bills may still send them, and not redeem', async () => {
  const issued = await keyWith({ scope: 'ordering' });
  const send = async (operation: string) =>
    (await performCall(api, issued, await callOf(api, operation, stage))).status;
  expect([await send('putBill'), await send('stockOut'), await send('redeemPoints')]).toEqual([200, 200, 403]);
});

describe('a key of other networks', () => {
  // The last one was reset.
  beforeAll(setScene);

  test.each(operationIds)('403 for %s, and nothing changes', async (operation) => {
    const call = await callOf(api, operation, stage);
    const before = await state();
    const { details, message } = expectError(await performCall(api, keys.elsewhere, call), 403, 'network_not_allowed');
    expect(details).toEqual({ address: '127.0.0.1' });
    expect(message).toBe('This key may not be used from 127.0.0.1, the address that the service sees.');
    expect(documentedErrors(operation).get('network_not_allowed')).toBe(403);
    expect(await state()).toEqual(before);
  });

  test('works from its own, also beside others', async () => {
    const key = await keyWith({ networks: [...elsewhere, ...loopback] });
    expect((await api.get(key, '/ping')).status).toBe(200);
  });

  test('its limit is not used up from elsewhere, and changed networks apply from the next request on', async () => {
    const key = await keyWith({ networks: elsewhere, rate_per_second: 1, rate_burst: 1 });
    const setNetworks = (networks: string[]) =>
      api.owner`update api_keys set networks = ${networks}::text[]::cidr[] where last_four = ${key.slice(-4)}`;
    for (let at = 0; at < 10; at++) expectError(await api.get(key, '/ping'), 403, 'network_not_allowed');
    await setNetworks(loopback);
    expect((await api.get(key, '/ping')).status).toBe(200);
    await setNetworks(elsewhere);
    // Refused as a key of another network, and not for the limit, of which the till has nothing left.
    expectError(await api.get(key, '/ping'), 403, 'network_not_allowed');
  });
});

test('refusals are in the audit log, the first and the tenth', async () => {
  const merchant = await createMerchant(api.owner);
  const [store] = merchant.stores;
  const reader = await createKey(api.owner, merchant.id, store.id, { scopes: [] });
  const away = await createKey(api.owner, merchant.id, store.id, { networks: elsewhere });
  for (let at = 0; at < 11; at++) {
    expectError(await api.post(reader, '/stock-outs', {}), 403, 'scope_missing');
    expectError(await api.get(away, '/ping'), 403, 'network_not_allowed');
  }
  const byService = { actor_kind: 'service', actor_id: null };
  const [scope, network] = [{ scope: 'ordering' }, { network: '127.0.0.0/24' }];
  expect(await entries(merchant.id)).toEqual(
    [1, 10].flatMap((attempts) => [
      { action: 'apiKey.refuseScope', ...byService, after: { ...scope, attempts } },
      { action: 'apiKey.refuseNetwork', ...byService, after: { ...network, attempts } },
    ]),
  );
  const requests = () => api.owner`
    select r.operation, r.status, r.error_code from api_requests r join api_keys k on k.id = r.api_key_id
    where k.last_four = ${away.slice(-4)} and r.merchant_id = ${merchant.id}`;
  const refused = { operation: 'ping', status: 403, error_code: 'network_not_allowed' };
  await expect.poll(requests).toMatchObject([refused, refused]);
});

test('nothing is off in the ledger', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
