/**
 * Limits by network address. A client can't evade them by claiming another address, unless one of our proxies confirms
 * it.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { newApiKey } from '../domain/access/api-key';
import { limitRate } from '../domain/limits';
import { createLogger, processLog } from '../observe/log';
import { createFrontDoor } from '../process/front-door';
import { createRestHandler } from '../rest/handler';
import { createRequestLog } from '../rest/request-log';
import { createKey, createMerchant, type TestMerchant, testServices } from '../testing/factory';
import { serveDiner } from '../trpc/diner/serve';

const database = ownDatabase();
let merchant: TestMerchant;
const servers: Server[] = [];

beforeAll(async () => {
  merchant = await createMerchant(database.owner);
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
});

beforeEach(() => database.owner`delete from rate_buckets`);

async function openDoor(trustedProxies: number) {
  const services = testServices(database.db);
  const server = createFrontDoor({
    services,
    log: createLogger('silent'),
    nextOrigin: 'http://127.0.0.1:9',
    trustedProxies,
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (key: string, claimed: string) => {
    const headers = { 'x-api-key': key, 'x-forwarded-for': claimed };
    return (await fetch(`http://127.0.0.1:${port}/api/v1/ping`, { headers })).status;
  };
}

const buckets = async () =>
  (await database.owner`select bucket from rate_buckets order by bucket`).map(({ bucket }) => bucket);
/** Empties the bucket for this process for a while, as a flood would. */
async function drain(bucket: string): Promise<void> {
  const take = () => limitRate(testServices(database.db), bucket, { perSecond: 0.01, burst: 1 });
  await take();
  await expect(take()).rejects.toMatchObject({ code: 'rate_limited' });
}
const guess = () => newApiKey('sandbox');

/** Calls the REST API without connections, so that calls made at the same moment run concurrently. */
function openApi() {
  const services = testServices(database.db);
  const log = createLogger('silent');
  const handle = createRestHandler({ services, log, requests: createRequestLog(services, log) });
  return async (apiKey: string | undefined, client: string) => {
    const request = { method: 'GET', url: 'ping', contentType: undefined, body: async () => Buffer.alloc(0) };
    return (await handle({ ...request, apiKey, client })).status;
  };
}

const times = <T>(count: number, one: () => T) => Array.from({ length: count }, one);

test('wrong keys count against the network they come from, whatever address they claim', async () => {
  const ping = await openDoor(0);
  for (const claimed of ['198.51.100.1', '198.51.100.2']) expect(await ping(guess(), claimed)).toBe(401);
  expect(await buckets()).toHaveLength(1);
});

test('behind a proxy of ours, wrong keys count against the address that it reports', async () => {
  const ping = await openDoor(1);
  expect(await ping(guess(), '203.0.113.9, 198.51.100.1')).toBe(401);
  expect(await ping(guess(), '203.0.113.8, 198.51.100.1')).toBe(401);
  expect(await buckets()).toHaveLength(1);
  expect(await ping(guess(), '198.51.100.1, 198.51.100.2')).toBe(401);
  expect(await buckets()).toHaveLength(2);
});

test('the log of wrong keys shortens the network, also of IPv6', async () => {
  const networks: unknown[] = [];
  const kept = vi.spyOn(processLog(), 'info').mockImplementation((line) => void networks.push(line));
  const ask = openApi();
  for (const client of ['2001:db8:77:1::5', '198.51.100.30']) expect(await ask(guess(), client)).toBe(401);
  kept.mockRestore();
  expect(networks).toMatchObject([{ network: '2001:db8:77::/48' }, { network: '198.51.100.0/24' }]);
});

test('in a network with many wrong keys, four new keys are looked up at once; known keys still work', async () => {
  const ask = openApi();
  const client = '198.51.100.10';
  const [used, unused] = [merchant.key, merchant.stores[0].key];
  expect(await ask(used, client)).toBe(200);
  await drain(`wrong keys from ${client}`);
  const atOnce = [...times(5, guess), unused, used, 'nonsense'].map((key) => ask(key, client));
  expect(await Promise.all(atOnce)).toEqual([401, 401, 401, 401, 429, 429, 200, 401]);
  // A till in that network only has to retry. Its key is known from then on.
  expect(await ask(unused, client)).toBe(200);
  const beside = [...times(5, guess), unused].map((key) => ask(key, client));
  expect((await Promise.all(beside)).at(-1)).toBe(200);
});

test('a revoked key counts as a wrong one', async () => {
  const ask = openApi();
  const client = '198.51.100.20';
  const key = await createKey(database.owner, merchant.id, null);
  expect(await ask(key, client)).toBe(200);
  await database.owner`update api_keys set revoked_at = now() - interval '1 minute' where last_four = ${key.slice(-4)}`;
  expect(await ask(key, client)).toBe(401);
  await drain(`wrong keys from ${client}`);
  const atOnce = [...times(4, guess), key].map((one) => ask(one, client));
  expect((await Promise.all(atOnce)).at(-1)).toBe(429);
});

test('a key outside its networks counts as a wrong one there, and is still known and unlimited in its own', async () => {
  const ask = openApi();
  const [shop, thief] = ['198.51.100.40', '203.0.113.40'];
  const limits = { rate_per_second: 1, rate_burst: 3 };
  const key = await createKey(database.owner, merchant.id, null, { networks: [`${shop}/32`], ...limits });
  expect(await ask(key, shop)).toBe(200);
  const before = await buckets();
  expect(await Promise.all(times(20, () => ask(key, thief)))).toEqual(times(20, () => 403));
  // One more bucket, for the thief's network.
  expect(await buckets()).toHaveLength(before.length + 1);
  await drain(`wrong keys from ${thief}`);
  expect((await Promise.all(times(9, () => ask(key, thief)))).sort()).toEqual([
    403,
    403,
    403,
    403,
    ...times(5, () => 429),
  ]);
  // The shop still has the rest of its burst, and is not affected by guesses from its own network.
  await drain(`wrong keys from ${shop}`);
  const atOnce = [...times(5, guess), key, key].map((one) => ask(one, shop));
  expect((await Promise.all(atOnce)).slice(-2)).toEqual([200, 200]);
  // Once it is no longer allowed there, it counts as a wrong key there, too.
  await database.owner`update api_keys set networks = '{203.0.113.9/32}' where last_four = ${key.slice(-4)}`;
  expect(await ask(key, shop)).toBe(403);
  expect((await Promise.all([...times(4, guess), key].map((one) => ask(one, shop)))).at(-1)).toBe(429);
});

test('a network’s new keys leave room for others; at capacity, malformed keys are still refused as such, and an idle till is served', async () => {
  const ask = openApi();
  const [{ key: idle }] = merchant.stores;
  for (const key of [merchant.key, idle]) expect(await ask(key, '203.0.113.1')).toBe(200);
  const crowd = times(128, () => ask(guess(), '203.0.113.1'));
  const beyond = ask(guess(), '203.0.113.1');
  crowd.push(...times(127, () => ask(guess(), '203.0.113.2')));
  const known = ask(merchant.key, '203.0.113.1');
  const full = [merchant.key, guess(), 'nonsense', undefined, idle].map((key) => ask(key, '203.0.113.3'));
  expect([await beyond, await known, await Promise.all(full)]).toEqual([429, 200, [503, 503, 401, 401, 200]]);
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([401]));
});

const askTable = async (client: string, token: string, services = testServices(database.db)) => {
  const headers = { 'x-forwarded-for': client, 'x-table-token': token };
  const url = `http://localhost:3000/api/diner/table.get?input=${encodeURIComponent('{"language":"en"}')}`;
  return serveDiner(services, new Request(url, { headers }), (error) => {
    throw error;
  });
};

const isLimited = async (answer: Promise<Response>) => (await (await answer).text()).includes('rate_limited');

test('a table is limited by code and network: neither strangers elsewhere nor neighbours use up its limit', async () => {
  const token = 'a'.repeat(22);
  // A malformed token does not count.
  expect((await askTable('198.51.100.1', 'a'.repeat(21))).status).toBe(200);
  expect(await buckets()).toHaveLength(1);
  expect((await askTable('198.51.100.1', token)).status).toBe(200);
  expect(await buckets()).toHaveLength(2);
  const from = performance.now();
  await drain(`table ${token} of 198.51.100.1`);
  const refused = await askTable('198.51.100.1', token);
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeLessThanOrEqual(100);
  expect(seconds).toBeGreaterThanOrEqual(100 - Math.ceil((performance.now() - from) / 1_000));
  expect(await refused.json()).toMatchObject({ error: { data: { reason: 'rate_limited' } } });
  expect(await isLimited(askTable('198.51.100.1', 'b'.repeat(22)))).toBe(false);
  expect(await isLimited(askTable('198.51.100.2', token))).toBe(false);
});

test('past the limit of their network, no table is looked up', async () => {
  const client = '198.51.100.30';
  await drain(`diners of ${client}`);
  const before = await buckets();
  expect(await isLimited(askTable(client, 'f'.repeat(22)))).toBe(true);
  expect(await buckets()).toEqual(before);
});

test('diners of one network share a limit, and IPv6 networks are its first half', async () => {
  expect(await isLimited(askTable('2001:db8:1:2::1', 'c'.repeat(22)))).toBe(false);
  await drain('diners of 2001:db8:1:2');
  expect(await isLimited(askTable('2001:db8:1:2:ffff::2', 'd'.repeat(22)))).toBe(true);
  expect(await isLimited(askTable('2001:db8:1:3::1', 'e'.repeat(22)))).toBe(false);
});
