/** Production has nothing of what a sandbox has for tests: neither in its service nor in its document. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '@/server/observe/log';
import { endpoints } from '@/server/rest/endpoints';
import { createRestHandler } from '@/server/rest/handler';
import { openApiDocument } from '@/server/rest/openapi';
import { createRequestLog } from '@/server/rest/request-log';
import { createKey, createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { stateOf } from '../expectations';
import { restApi } from '../harness';

const api = restApi();
let merchant: TestMerchant;
let send: (method: string, url: string, body?: object) => Promise<{ status: number; body: string }>;

beforeAll(async () => {
  merchant = await createMerchant(api.owner);
  const apiKey = await createKey(api.owner, merchant.id, null, { environment: 'live' });
  const services = { ...testServices(api.db), environment: 'live' as const };
  const log = createLogger('silent');
  const handle = createRestHandler({ services, log, requests: createRequestLog(services, log) });
  send = (method, url, body = {}) =>
    handle({
      method,
      url,
      apiKey,
      client: '127.0.0.1',
      contentType: 'application/json',
      body: async () => Buffer.from(JSON.stringify(body)),
    });
});

const ofSandbox = endpoints.filter(({ segments }) => segments[0] === 'sandbox');

test('they are five', () => {
  expect(ofSandbox.map(({ method, segments }) => `${method} /${segments.join('/')}`)).toEqual([
    'GET /sandbox/messages',
    'POST /sandbox/clock',
    'POST /sandbox/orders',
    'POST /sandbox/faults',
    'POST /sandbox/reset',
  ]);
});

describe.each(ofSandbox)('$operation', ({ method, segments, meta }) => {
  test('404, as for any unknown path, and nothing changes', async () => {
    const before = await stateOf(api, merchant.id);
    const path = segments.join('/');
    const { status, body } = await send(method, path, meta.example?.request);
    const unknown = await send(method, 'sandbox/nothing');
    const without = (text: string) => text.replace(/"requestId":"[^"]*"/, '').replace('sandbox/nothing', path);
    expect([status, without(body)]).toEqual([404, without(unknown.body)]);
    expect(JSON.parse(body).error.code).toBe('endpoint_not_found');
    expect(await stateOf(api, merchant.id)).toEqual(before);
    expect((await send('GET', 'ping')).status).toBe(200);
  });
});

test('its document has all else, and no trace of them', () => {
  const [sandbox, production] = (['sandbox', 'live'] as const).map(
    (environment) => openApiDocument('https://loyalty.example.com', environment) as { paths: object; tags: object[] },
  );
  const pathsOf = (document?: { paths: object }) => Object.keys(document?.paths ?? {});
  const hidden = pathsOf(sandbox).filter((path) => !pathsOf(production).includes(path));
  expect(hidden.sort()).toEqual(ofSandbox.map(({ segments }) => `/${segments.join('/')}`).sort());
  expect(JSON.stringify(production)).not.toMatch(/\/sandbox\/|Sandbox(Messages|Clock|Faults|Reset)|resetSandbox/);
  expect(sandbox?.tags).toContainEqual({ name: 'Sandbox', description: expect.any(String) });
  expect(production?.tags).not.toContainEqual(expect.objectContaining({ name: 'Sandbox' }));
});
