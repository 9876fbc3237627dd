/** A system manages its webhook endpoints over REST, by the rules that hold for owners. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createKey, createMerchant, type TestMerchant } from '@/server/testing/factory';
import { expectError } from '../expectations';
import { restApi } from '../harness';
import { createEndpointRow, createEndpointRows, createWebhooksKey, endpointUrl } from '../webhook-operations';

const api = restApi();
let merchant: TestMerchant;
let key: string;

beforeEach(async () => {
  merchant = await createMerchant(api.owner);
  key = await createWebhooksKey(api, merchant.id);
});

const path = '/webhook-endpoints';
const at = (endpointId: string, verb = '') => `${path}/${endpointId}${verb}`;
const create = (body: object = {}) => api.post(key, path, { url: endpointUrl, ...body });
const list = async () => (await api.get(key, path)).body.items;
const entries = () =>
  api.owner`
    select action, actor_kind kind, k.last_four from audit_log a left join api_keys k on k.id = a.actor_id
    where a.merchant_id = ${merchant.id} order by a.id`.then((rows) => rows.map((row) => ({ ...row })));
const wanted = async () =>
  (await api.owner`select event_types from merchants where id = ${merchant.id}`)[0]?.event_types;

test('from creation to deletion, and the audit log names the key', async () => {
  const { body: created } = await create({ description: 'Till server', eventTypes: ['order.placed'] });
  const { secret, ...endpoint } = created;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(endpoint).toMatchObject({ url: endpointUrl, eventTypes: ['order.placed'], state: 'enabled' });
  // The secret is in no other response.
  expect(await list()).toEqual([endpoint]);
  expect(await wanted()).toEqual(['order.placed']);

  const { endpointId } = endpoint;
  const change = { description: 'Kitchen', eventTypes: null };
  expect((await api.patch(key, at(endpointId), change)).body).toEqual({ ...endpoint, ...change });
  expect(await wanted()).toBeNull();

  const rotated = (await api.post(key, at(endpointId, '/rotate-secret'), {})).body;
  expect(rotated.secret).not.toBe(secret);
  expect((await list())[0].previousSecretUntil).toBe(rotated.previousSecretUntil);

  const { eventId } = (await api.post(key, at(endpointId, '/test'), {})).body;
  const [delivery] = await api.owner`select state from webhook_deliveries where event_id = ${eventId}`;
  expect(delivery?.state).toBe('pending');

  expect((await api.post(key, at(endpointId, '/delete'), {})).body).toEqual({ endpointId });
  expectError(await api.post(key, at(endpointId, '/delete'), {}), 404, 'webhook_endpoint_not_found');
  expect(await list()).toEqual([]);
  const byKey = { kind: 'apiKey', last_four: key.slice(-4) };
  const actions = ['create', 'change', 'rotateSecret', 'test', 'pause', 'remove'];
  expect(await entries()).toEqual(actions.map((action) => ({ action: `webhook.${action}`, ...byKey })));
});

describe('a change', () => {
  test('of nothing changes nothing, and is not in the audit log', async () => {
    const { endpointId, ...endpoint } = (await create()).body;
    for (const body of [{}, { url: endpointUrl, description: '', eventTypes: null, state: 'enabled' }])
      expect((await api.patch(key, at(endpointId), body)).body).toMatchObject({ url: endpoint.url, state: 'enabled' });
    expect(await entries()).toHaveLength(1);
  });

  test('of several fields is done whole, or not at all', async () => {
    const { endpointId } = (await create()).body;
    const body = { url: 'https://10.0.0.7/webhooks', state: 'paused' };
    expectError(await api.patch(key, at(endpointId), body), 400, 'invalid_request');
    expect((await list())[0]).toMatchObject({ url: endpointUrl, state: 'enabled' });
    expect((await api.patch(key, at(endpointId), { ...body, url: 'https://example.org' })).body).toMatchObject({
      url: 'https://example.org',
      state: 'paused',
    });
  });

  test('pauses, so that no test is sent, and enables one that the service disabled', async () => {
    const endpointId = await createEndpointRow(api, merchant.id);
    await api.patch(key, at(endpointId), { state: 'paused' });
    expectError(await api.post(key, at(endpointId, '/test'), {}), 402, 'webhook_endpoint_off');
    await api.owner`
      update webhook_endpoints set state = 'disabled', disabled_at = now(), disabled_reason = 'gone'
      where id = ${endpointId}`;
    expect((await api.patch(key, at(endpointId), { state: 'paused' })).body.state).toBe('disabled');
    const enabled = (await api.patch(key, at(endpointId), { state: 'enabled' })).body;
    expect(enabled).toMatchObject({ state: 'enabled', disabledReason: null, disabledAt: null });
  });
});

test.each([
  'http://example.com/webhooks',
  'ftp://example.com',
  'https://10.0.0.7/webhooks',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::7]/webhooks',
  'https://user:secret@example.com',
  'https://example.com/\u0000',
  'https://example.com/a\nb',
  `https://example.com/${'x'.repeat(2_000)}`,
])('nothing is sent to %j', async (url) => {
  const endpointId = await createEndpointRow(api, merchant.id);
  for (const answer of [await create({ url }), await api.patch(key, at(endpointId), { url })]) {
    expect(expectError(answer, 400, 'invalid_request').issues).toMatchObject([{ path: 'url' }]);
  }
  expect(await list()).toHaveLength(1);
});

test('a business has ten at most, also when two are created at once', async () => {
  await createEndpointRows(api, merchant.id, 9);
  const answers = await Promise.all([create(), create()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await list()).toHaveLength(10);
});

test('a key needs the scope, which none has by itself, and which reading needs, too', async () => {
  const endpointId = await createEndpointRow(api, merchant.id);
  const former = await createKey(api.owner, merchant.id, null, { scope: 'all' });
  for (const other of [former, merchant.key, merchant.stores[0].key]) {
    for (const answer of [await api.get(other, path), await api.post(other, at(endpointId, '/delete'), {})])
      expect(expectError(answer, 403, 'scope_missing').details).toEqual({ scope: 'webhooks' });
  }
  // Besides reading, it may do nothing else.
  expect((await api.get(key, '/ping')).status).toBe(200);
  expectError(await api.post(key, '/stock-outs', { plus: ['N001'] }), 403, 'scope_missing');
});

test('another merchant’s endpoint does not exist', async () => {
  const other = await createMerchant(api.owner);
  const endpointId = await createEndpointRow(api, other.id);
  const answers = [
    await api.patch(key, at(endpointId), { state: 'paused' }),
    ...(await Promise.all(
      ['/rotate-secret', '/test', '/delete'].map((verb) => api.post(key, at(endpointId, verb), {})),
    )),
  ];
  for (const answer of answers) expectError(answer, 404, 'webhook_endpoint_not_found');
  expect(await list()).toEqual([]);
});
