/** The Postman collection has every operation of the document, with requests that are valid as they stand. */
import { afterAll, beforeAll, chai, expect, inject, test } from 'vitest';
import collection from '@/app/api/postman.json/collection.json';
import type { PostmanCollection, PostmanRequest } from '@/server/cli/generate/postman';
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

type Events = PostmanRequest['event'];
const scriptOf = (event: Events, listen: string) =>
  event.find((one) => one.listen === listen)?.script.exec.join('\n') ?? '';

/** Runs a request's tests as Postman does. */
async function runTests(event: Events, code: number, text: string): Promise<'passed' | 'failed'> {
  const response = { code, text: () => text, json: () => JSON.parse(text) };
  let outcome: 'passed' | 'failed' = 'passed';
  const attempt = (_: string, work: () => void) => {
    try {
      work();
    } catch {
      outcome = 'failed';
    }
  };
  new Function('pm', scriptOf(event, 'test'))({ response, test: attempt, expect: chai.expect });
  return outcome;
}

test('with the variable storeCode, a key of all stores names it wherever it has to', async () => {
  const stage = await createStage(api);
  const [{ storeCode }] = stage.merchant.stores;
  const refused: string[] = [];
  for (const { name, request, event } of collection.item.flatMap(({ item }) => item) as PostmanRequest[]) {
    const sent = structuredClone(request);
    const query: string[] = [];
    const addQueryParams = (added: string[]) => void query.push(...added);
    const variables = { get: (key: string) => ({ storeCode })[key] };
    const pm = { variables, request: Object.assign(sent, { addQueryParams }) };
    new Function('pm', scriptOf(event, 'prerequest'))(pm);
    const { raw, variable } = sent.url;
    const variableOf = (key: string) => filled(variable.find((one) => one.key === key)?.value ?? '');
    const filledIn = raw.replace(/(?<=\/):(\w+)/g, (_, key) => encodeURIComponent(variableOf(key)));
    const address = [filledIn.split('?')[0], query.join('&')].join(query.length > 0 ? '?' : '');
    const { body } = await api.send(address.slice('{{baseUrl}}'.length), {
      method: sent.method,
      headers: { 'x-api-key': stage.merchant.key, 'content-type': 'application/json' },
      ...(sent.body ? { body: filled(sent.body.raw ?? '') } : {}),
    });
    if (body.error?.issues?.some(({ path }: { path: string }) => path === 'storeCode')) refused.push(name);
  }
  expect(refused).toEqual([]);
});

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
  for (const { name, request, event } of served.item.flatMap(({ item }) => item)) {
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
    expect(await runTests(event, status, text), name).toBe(status === 200 ? 'passed' : 'failed');
    expect(text).not.toContain('"endpoint_not_found"');
  }
});
