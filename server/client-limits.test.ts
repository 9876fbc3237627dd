/** Limits by network address: what a client claims to be fools none of them, unless a proxy of ours says it. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import { newApiKey } from './domain/merchants/api-key';
import { createFrontDoor } from './front-door';
import { createLogger } from './log';
import { createKey, createMerchant, type TestMerchant, testServices } from './testing/factory';
import { serveDiner } from './trpc/diner/serve';

let database: TestDatabase;
let merchant: TestMerchant;
const servers: Server[] = [];

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  merchant = await createMerchant(database.owner);
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  await database.drop();
});

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

const buckets = async () => (await database.owner`select bucket from rate_buckets`).map(({ bucket }) => bucket);
/** As in a flood: for a minute nobody gets anything out of the buckets that there are, but for those `kept`. */
const drain = (kept: string[] = []) => database.owner`
  update rate_buckets set tokens = 0, refilled_at = now() + interval '1 minute', full_at = now() + interval '2 minutes'
  where bucket <> all (${kept})`;
const guess = () => newApiKey('sandbox');

test('wrong keys of one network are refused without a look, whatever address they claim; keys that work go on', async () => {
  const ping = await openDoor(0);
  const [used, unused] = [merchant.key, merchant.stores[0].key];
  expect(await ping(used, '198.51.100.1')).toBe(200);
  const kept = await buckets();
  expect(await ping(guess(), '198.51.100.2')).toBe(401);
  await drain(kept);
  // The first is told that there is no more; the second is not asked about.
  expect([await ping(guess(), '198.51.100.3'), await ping(guess(), '198.51.100.4')]).toEqual([429, 429]);
  expect(await ping(used, '198.51.100.5')).toBe(200);
  expect(await ping(unused, '198.51.100.6')).toBe(429);
  // What can be no key costs no look, and is told so.
  expect(await ping('nonsense', '198.51.100.7')).toBe(401);
});

test('behind a proxy of ours, wrong keys count for the address that it names', async () => {
  const ping = await openDoor(1);
  expect(await ping(guess(), '203.0.113.9, 198.51.100.1')).toBe(401);
  await drain();
  expect(await ping(guess(), '203.0.113.8, 198.51.100.1')).toBe(429);
  expect(await ping(guess(), '198.51.100.1, 198.51.100.2')).toBe(401);
});

test('a key that was revoked counts as any other that does not work', async () => {
  await database.owner`delete from rate_buckets`;
  const ping = await openDoor(0);
  const key = await createKey(database.owner, merchant.id, null);
  expect(await ping(key, '')).toBe(200);
  await database.owner`update api_keys set revoked_at = now() - interval '1 minute' where last_four = ${key.slice(-4)}`;
  expect(await ping(key, '')).toBe(401);
  await drain();
  expect(await ping(key, '')).toBe(429);
});

const askTable = async (client: string, token: string, services = testServices(database.db)) => {
  const headers = { 'x-forwarded-for': client, 'x-table-token': token };
  const url = `http://localhost:3000/api/diner/table.get?input=${encodeURIComponent('{"language":"en"}')}`;
  return serveDiner(services, new Request(url, { headers }), (error) => {
    throw error;
  });
};

const isLimited = async (answer: Promise<Response>) => (await (await answer).text()).includes('rate_limited');

test('a table is limited by its code, wherever its guests are, and its neighbours are not', async () => {
  const token = 'a'.repeat(22);
  expect((await askTable('198.51.100.1', token)).status).toBe(200);
  await drain();
  const refused = await askTable('198.51.100.2', token);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ error: { data: { reason: 'rate_limited' } } });
  expect(await isLimited(askTable('198.51.100.3', 'b'.repeat(22)))).toBe(false);
});

test('a network of diners is limited as one, IPv6 by its first half', async () => {
  expect(await isLimited(askTable('2001:db8:1:2::1', 'c'.repeat(22)))).toBe(false);
  await drain();
  expect(await isLimited(askTable('2001:db8:1:2:ffff::2', 'd'.repeat(22)))).toBe(true);
  expect(await isLimited(askTable('2001:db8:1:3::1', 'e'.repeat(22)))).toBe(false);
});
