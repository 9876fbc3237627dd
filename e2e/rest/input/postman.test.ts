/** The Postman collection has every operation of the document, with requests that are valid as they stand. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import collection from '@/app/api/postman.json/collection.json';
import type { PostmanCollection } from '@/server/cli/generate/postman';
import { testSecret } from '@/server/testing/factory';
import { useSettings } from '@/server/testing/settings';
import { type DocumentedEntry, documented, problemsOf } from '../document';
import { restApi } from '../harness';
import { createStage } from '../operations';
import { createWebhooksKey } from '../webhook-operations';

const api = restApi();

const PUBLIC_ORIGIN = 'https://sandbox.example.com';
const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' };
let restore: () => void;
afterAll(() => restore());

beforeAll(() => {
  restore = useSettings({ ...settings, PUBLIC_ORIGIN, DATABASE_URL: inject('adminUrl'), DATABASE_OWNER_URL: '' });
});

const pathOf = ({ path }: { path: string[] }) => `/${path.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;

test('it has every operation, each with a valid body', () => {
  const requests = collection.item.flatMap(({ item }) => item);
  const sent = requests.map(({ request }) => `${request.method} ${pathOf(request.url)}`);
  expect(sent.sort()).toEqual(documented.map(({ method, path }) => `${method} ${path}`).sort());
  for (const { name, request } of requests) {
    const entry = documented.find(
      ({ method, path }) => method === request.method && path === pathOf(request.url),
    ) as DocumentedEntry;
    const schema = entry.operation.requestBody?.content['application/json']?.schema;
    expect(request.body === undefined, name).toBe(schema === undefined);
    if (schema) expect(problemsOf(schema, JSON.parse(filled(request.body?.raw ?? ''))), name).toEqual([]);
  }
});

test('an address is given whole, too, and names the store by a variable', () => {
  const urls = collection.item.flatMap(({ item }) => item).map(({ request }) => request.url);
  const { raw } = urls.find(({ path }) => path.join('/') === 'bills/:billId/close') ?? {};
  expect(raw).toBe('{{baseUrl}}/bills/:billId/close');
  const stores = urls.flatMap(({ query }) => query).filter(({ key }) => key === 'storeCode');
  expect(stores.length).toBeGreaterThan(5);
  for (const { value } of stores) expect(value).toBe('{{storeCode}}');
});

const isOfWebhooks = ({ path }: { path: string[] }) => path[0] === 'webhook-endpoints';
const filled = (text: string) => text.replaceAll('{{$guid}}', crypto.randomUUID());

test('it is served with the address of the deployment, and its requests reach the service', async () => {
  // Loaded after the settings are there: another test of the process may have read others.
  const { GET } = await import('@/app/api/postman.json/route');
  const served = (await GET().json()) as PostmanCollection;
  expect(served.item).toEqual(collection.item);
  const { baseUrl, apiKey, storeCode } = Object.fromEntries(served.variable.map(({ key, value }) => [key, value]));
  expect(baseUrl).toBe(`${PUBLIC_ORIGIN}/api/v1`);
  expect([apiKey, storeCode]).toEqual(['', '']);
  const stage = await createStage(api);
  await api.owner`update stores set store_code = 'ORCHARD' where id = ${stage.merchant.stores[0].id}`;
  const webhooksKey = await createWebhooksKey(api, stage.merchant.id);
  for (const { name, request } of served.item.flatMap(({ item }) => item)) {
    const { raw, variable } = request.url;
    const variableOf = (key: string) => filled(variable.find((one) => one.key === key)?.value ?? '');
    const address = raw.replace(/(?<=\/):(\w+)/g, (_, name) => encodeURIComponent(variableOf(name)));
    const { status, text } = await api.send(address.slice('{{baseUrl}}'.length), {
      method: request.method,
      headers: { 'x-api-key': isOfWebhooks(request.url) ? webhooksKey : stage.key, 'content-type': 'application/json' },
      ...(request.body ? { body: filled(request.body.raw ?? '') } : {}),
    });
    // The examples name customers and packages that this merchant has not.
    expect([200, 402, 404], `${name}: ${text}`).toContain(status);
    expect(text).not.toContain('"endpoint_not_found"');
  }
});
