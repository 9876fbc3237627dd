/** What a key may do, and from where: its scope and its networks, for every operation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { keyScopes } from '@/db/kinds/lists';
import { createKey, createMerchant } from '@/server/testing/factory';
import { documented } from '../document';
import { documentedErrors, expectError, stateOf } from '../expectations';
import { ledgerViolations, restApi } from '../harness';
import { performCall } from '../operations';
import { callOf, createFullStage, type FullStage } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
const keys: Record<string, string> = {};

async function setScene() {
  stage = await createFullStage(api);
  for (const scope of keyScopes) keys[scope] = await keyWith({ scope });
  keys.elsewhere = await keyWith({ networks: elsewhere });
}
beforeAll(setScene);

/** Operations by what they change. */
const areas = {
  read: [
    ...['ping', 'getCustomerBalancesByPhone', 'getCustomerBalancesByEmail', 'listStoredValuePackages'],
    ...['getTopUpRequest', 'getTransaction', 'getQrCode', 'listOrders', 'listStockOuts', 'listSandboxMessages'],
    ...['setSandboxFaults', 'listEvents', 'getBill'],
  ],
  loyalty: [
    ...['enrolCustomer', 'forgetPin', 'topUpStoredValue', 'redeemStoredValue', 'redeemVoucher', 'redeemPoints'],
    ...['submitSale', 'updateCustomer', 'voidTransactions'],
  ],
  ordering: [
    ...[
      'generateQrCode',
      'invalidateQrCode',
      'setOrderStatus',
      'stockOut',
      'restoreStock',
      'putBill',
      'closeBill',
      'beginSettling',
      'reopenBill',
      'voidBill',
      'refundBillPayment',
      'releaseBillPayment',
    ],
  ],
  all: ['advanceSandboxClock', 'resetSandbox'],
};
const allowed = {
  read: areas.read,
  loyalty: [...areas.read, ...areas.loyalty],
  ordering: [...areas.read, ...areas.ordering],
  all: Object.values(areas).flat(),
};
const operationIds = documented.map(({ operation }) => operation.operationId);

const loopback = ['127.0.0.0/8', '::1/128'];
const elsewhere = ['203.0.113.0/24', '2001:db8::/32'];
const keyWith = (settings: Parameters<typeof createKey>[3]) =>
  createKey(api.owner, stage.merchant.id, stage.merchant.stores[0].id, settings);
/** Refusals are recorded: everything else has to stay. */
const state = async () => ({ ...(await stateOf(api, stage.merchant.id)), audit_log: null });
const entries = (merchantId: string) =>
  api.owner`
    select action, actor_kind, actor_id, after from audit_log
    where merchant_id = ${merchantId} and action like 'apiKey.%' order by id`.then((rows) =>
    rows.map(({ after, ...row }) => ({ ...row, after: JSON.parse(after) })),
  );

test('every operation of the reference has a case, and those that only read are its GETs', () => {
  expect([...allowed.all].sort()).toEqual([...operationIds].sort());
  const reads = documented.filter(({ method }) => method === 'GET').map(({ operation }) => operation.operationId);
  // It changes no data.
  expect([...areas.read].sort()).toEqual([...reads, 'setSandboxFaults'].sort());
});

describe.each(keyScopes)('a key of the scope %s', (scope) => {
  test.each(operationIds)('%s', async (operation) => {
    const key = keys[scope] as string;
    const call = await callOf(api, operation, stage);
    if (allowed[scope].includes(operation)) {
      const answer = await performCall(api, key, call);
      expect(answer.status, answer.text).toBe(200);
      return;
    }
    const before = await state();
    const needed = (['loyalty', 'ordering', 'all'] as const).find((area) => areas[area].includes(operation));
    const { details, message } = expectError(await performCall(api, key, call), 403, 'scope_missing');
    expect(details).toEqual({ scope: needed });
    expect(message).toContain(needed);
    // The scope comes first: the body is not even parsed.
    const nonsense = { method: call.method, headers: { 'x-api-key': key }, body: 'nonsense' };
    expectError(await api.send(call.path, nonsense), 403, 'scope_missing');
    expect(documentedErrors(operation).get('scope_missing')).toBe(403);
    expect(await state()).toEqual(before);
  });
});

test('operations that every key may use do not list the refusal', () => {
  for (const operation of areas.read) expect(documentedErrors(operation).has('scope_missing'), operation).toBe(false);
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
  const reader = await createKey(api.owner, merchant.id, store.id, { scope: 'read' });
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
