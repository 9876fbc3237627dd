/** A key works from its networks alone, whatever headers a client claims to come from there by. */
import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { networkList } from '../domain/kernel/networks';
import { createLogger } from '../observe/log';
import { createFrontDoor } from '../process/front-door';
import { countAttempt } from '../testing/attempts';
import { createKey, createMerchant, testServices } from '../testing/factory';
import type { TrustedProxies } from './client-address';

const database = ownDatabase();
const servers: Server[] = [];
const [shop, thief] = ['198.51.100.7', '203.0.113.5'];
let key: string;

beforeAll(async () => {
  const merchant = await createMerchant(database.owner);
  key = await createKey(database.owner, merchant.id, null, { networks: ['198.51.100.0/24', '2001:db8:5::/48'] });
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
});

/** Opens a front door, and returns how it answers the key with these headers. */
async function openDoor(trustedProxies: TrustedProxies) {
  const server = createFrontDoor({
    services: testServices(database.db),
    log: createLogger('silent'),
    nextOrigin: 'http://127.0.0.1:9',
    trustedProxies,
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (headers: Record<string, string | string[]>): Promise<number | undefined> => {
    const asked = request({ port, host: '127.0.0.1', path: '/api/v1/ping', headers: { 'x-api-key': key, ...headers } });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    countAttempt(answer.statusCode !== 200);
    return answer.statusCode;
  };
}

/** Headers by which proxies, load balancers and content networks name a client. */
const forwarding = [
  ...[
    'x-forwarded-for',
    'x-forwarded',
    'forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'client-ip',
    'x-cluster-client-ip',
  ],
  ...[
    'cf-connecting-ip',
    'cf-connecting-ipv6',
    'true-client-ip',
    'fastly-client-ip',
    'fly-client-ip',
    'x-azure-clientip',
  ],
  ...['x-appengine-user-ip', 'x-original-forwarded-for', 'x-originating-ip', 'x-remote-ip', 'x-remote-addr'],
  ...[
    'x-envoy-external-address',
    'x-vercel-forwarded-for',
    'x-nf-client-connection-ip',
    'x-proxyuser-ip',
    'wl-proxy-client-ip',
  ],
  ...['x-host', 'x-forwarded-host', 'x-forwarded-server', 'via'],
];
const claims: Record<string, string | string[]>[] = [
  ...forwarding.map((name) => ({ [name]: shop })),
  { forwarded: `for=${shop};proto=https` },
  { forwarded: `for="[2001:db8:5::7]"` },
  Object.fromEntries(forwarding.map((name) => [name, shop])),
];

test.each(claims)('without a proxy, %j is only a claim', async (headers) => {
  const ask = await openDoor(0);
  expect(await ask(headers)).toBe(403);
});

describe.each<[string, TrustedProxies]>([
  ['a number of proxies', 1],
  ['networks of proxies', networkList(['127.0.0.1/32'])],
])('with %s', (_, trusted) => {
  test.each([
    ...[`${shop}, ${thief}`, `${thief}, ${shop}, ${thief}`, `${shop},${thief}:443`, `, ${shop}, ${thief}`],
    ...[`for=${shop}`, `${shop}\t${shop}`, `${shop} `.repeat(2).trim(), '', 'unknown', `::ffff:${thief}`],
  ])('X-Forwarded-For: %j leads to no other network', async (forwarded) => {
    const ask = await openDoor(trusted);
    expect(await ask({ 'x-forwarded-for': forwarded })).toBe(403);
  });

  test('two of these headers are one list, and other headers count for nothing beside it', async () => {
    const ask = await openDoor(trusted);
    expect(await ask({ 'x-forwarded-for': [shop, thief] })).toBe(403);
    for (const claim of claims)
      if (!('x-forwarded-for' in claim)) expect(await ask({ ...claim, 'x-forwarded-for': thief })).toBe(403);
  });

  test('what the proxy itself reports counts', async () => {
    const ask = await openDoor(trusted);
    for (const client of [shop, `${thief}, ${shop}`, `${shop}:51234`, '2001:db8:5::7', '[2001:db8:5::7]:443'])
      expect(await ask({ 'x-forwarded-for': client }), client).toBe(200);
  });
});
