/** The client's address that Next receives, whatever the client claims. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { networkList } from '../domain/kernel/networks';
import { createLogger } from '../observe/log';
import { createFrontDoor } from '../process/front-door';
import { testServices } from '../testing/factory';
import { keptLog } from '../testing/kept-log';
import { type TrustedProxies, warnOfProxies } from './client-address';

const database = ownDatabase();
const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
});

/** Returns the headers that Next receives for a request with these headers. */
async function headersAtNext(
  headers: Record<string, string>,
  trustedProxies?: TrustedProxies,
): Promise<IncomingHttpHeaders> {
  const next = await listen(createServer((request, response) => response.end(JSON.stringify(request.headers))));
  const options = { services: testServices(database.db), log: createLogger('silent'), nextOrigin: next };
  const door = await listen(
    createFrontDoor({ ...options, ...(trustedProxies === undefined ? {} : { trustedProxies }) }),
  );
  return (await fetch(`${door}/sign-in`, { headers })).json() as Promise<IncomingHttpHeaders>;
}

test('is the connection’s, and a client’s claim is dropped', async () => {
  const claims = {
    'x-forwarded-for': '203.0.113.1',
    'x-real-ip': '203.0.113.1',
    forwarded: 'for=203.0.113.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  const headers = await headersAtNext(claims);
  expect(headers['x-forwarded-for']).toBe('127.0.0.1');
  expect(JSON.stringify(headers)).not.toMatch(/203\.0\.113|evil/);
  expect(headers['x-forwarded-proto']).not.toBe('https');
});

test.each([
  [1, '198.51.100.7', '198.51.100.7'],
  [1, '203.0.113.1, 198.51.100.7', '198.51.100.7'],
  [2, '203.0.113.1, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  [2, '198.51.100.7', '127.0.0.1'],
  [1, '203.0.113.1, 198.51.100.7:51234', '198.51.100.7'],
  [1, '2001:db8::1', '2001:db8::1'],
  [1, '[2001:db8::1]:443', '2001:db8::1'],
  [1, '[2001:db8::1]', '2001:db8::1'],
  [1, 'unknown', '127.0.0.1'],
  [1, '198.51.100.7:51234:1', '127.0.0.1'],
])('behind %i of our own proxies, "%s" means %s', async (proxies, forwarded, client) => {
  expect((await headersAtNext({ 'x-forwarded-for': forwarded }, proxies))['x-forwarded-for']).toBe(client);
});

test('behind a proxy that sends no address it is the connection’s', async () => {
  expect((await headersAtNext({}, 1))['x-forwarded-for']).toBe('127.0.0.1');
});

describe('with the networks of our own proxies', () => {
  const ours = ['127.0.0.1', '10.0.0.0/8', '2001:db8:5::/48'];

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    // The client's claim comes before the address that our proxy saw.
    ['203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.9, 198.51.100.7', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7:51234, 2001:db8:5::2, 10.0.0.2:443', '198.51.100.7'],
    ['2001:db8::1, [2001:db8:5::2]:443', '2001:db8::1'],
    ['::ffff:198.51.100.7, ::ffff:10.0.0.2', '::ffff:198.51.100.7'],
    // The client is in our own network.
    ['10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['203.0.113.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['203.0.113.1, unknown', '127.0.0.1'],
    ['203.0.113.1,', '127.0.0.1'],
  ])('"%s" means %s', async (forwarded, client) => {
    const headers = await headersAtNext({ 'x-forwarded-for': forwarded }, networkList(ours));
    expect(headers['x-forwarded-for']).toBe(client);
  });

  test.each(['203.0.113.1', '10.0.0.9', '203.0.113.1, 10.0.0.2'])(
    '"%s" is only a claim from elsewhere',
    async (claim) => {
      const headers = await headersAtNext({ 'x-forwarded-for': claim }, networkList(['10.0.0.0/8']));
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    },
  );
});

test('warns once of proxies that are not configured', async () => {
  const next = await listen(createServer((_, response) => response.end()));
  const { log, lines, check } = keptLog();
  const door = createFrontDoor({ services: testServices(database.db), log, nextOrigin: next });
  warnOfProxies(door, log, networkList(['10.0.0.0/8']));
  const origin = await listen(door);
  const warnings = () => lines.filter((line) => line.includes('TRUSTED_PROXIES'));
  await fetch(`${origin}/sign-in`);
  expect(warnings()).toEqual([]);
  for (let n = 0; n < 3; n++) await fetch(`${origin}/sign-in`, { headers: { 'x-forwarded-for': '203.0.113.1' } });
  expect(warnings()).toHaveLength(1);
  check();
});
