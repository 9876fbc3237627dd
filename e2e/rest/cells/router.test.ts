/** The router's configuration, with a real HAProxy, in front of cells that say which they are. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '@/db/operations/ports';
import { type Router, startRouter } from '@/e2e/cells/router';
import { newApiKey } from '@/server/domain/access/api-key';

/** Answers with its name and what it was asked. */
const createStandIn = (name: string) =>
  createServer(async (incoming, response) => {
    const body = (await incoming.toArray()).join('');
    response.setHeader('x-request-id', 'of the cell');
    response.end(JSON.stringify({ cell: name, url: incoming.url, host: incoming.headers.host, body }));
  });

const listen = async (server: Server, port = 0) => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const stop = (server: Server) => {
  server.closeAllConnections();
  return new Promise<void>((done) => server.close(() => done()));
};

let cells: { sg1: Server; sg2: Server };
let router: Router;
let port: number;

beforeAll(async () => {
  cells = { sg1: createStandIn('sg1'), sg2: createStandIn('sg2') };
  const [sg1, sg2] = [await listen(cells.sg1), await listen(cells.sg2)];
  port = await freePort();
  router = await startRouter({ port, ports: { sg1: [sg1, sg1], sg2: [sg2, sg2] } });
});
afterAll(async () => {
  await router.stop();
  await Promise.all([stop(cells.sg1), stop(cells.sg2)]);
});

interface Sent {
  key?: string;
  host?: string;
  method?: string;
  body?: string;
}

async function send(path: string, { key, host = 'loyalty.example.com', method = 'GET', body }: Sent = {}) {
  const headers = { host, ...(key ? { 'x-api-key': key } : {}), ...(body ? { 'content-length': body.length } : {}) };
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const text: string = (await response.toArray()).join('');
  return { status: response.statusCode as number, headers: response.headers, text };
}

const cellOf = async (...args: Parameters<typeof send>) => JSON.parse((await send(...args)).text).cell as string;

const keyOf = (name: string | null) => newApiKey('live', { cell: name === null ? null : { name } });

test('a key goes to the cell that it names, and one without a name to the default cell', async () => {
  expect(await cellOf('/api/v1/ping', { key: keyOf('sg2') })).toBe('sg2');
  expect(await cellOf('/api/v1/ping', { key: keyOf('sg1'), host: 'sg2.loyalty.example.com' })).toBe('sg1');
  for (const key of [keyOf(null), keyOf('xx9'), 'nonsense']) expect(await cellOf('/api/v1/ping', { key })).toBe('sg1');
  expect(await cellOf('/api/v1/ping')).toBe('sg1');
});

test('a host name goes to its cell, and another one to the default cell', async () => {
  for (const path of ['/q/a', '/api/diner/table', '/photos/a/160']) {
    expect(await cellOf(path, { host: 'SG2.loyalty.example.com:8443' })).toBe('sg2');
    expect(await cellOf(path, { host: 'sg1.loyalty.example.com' })).toBe('sg1');
  }
  expect(await cellOf('/', { host: 'loyalty.example.com' })).toBe('sg1');
});

test('a redirect to another cell goes there, with method, body and the rest of the path', async () => {
  const { text } = await send('/cells/sg2/api/v1/sales?a=1', { key: keyOf('sg1'), method: 'POST', body: '{"a":1}' });
  expect(JSON.parse(text)).toEqual({
    cell: 'sg2',
    url: '/api/v1/sales?a=1',
    host: 'loyalty.example.com',
    body: '{"a":1}',
  });
  for (const path of [
    '/cells/sg3/api/v1/ping',
    '/cells/sg2/',
    '/cells/sg2/sign-in',
    '/cells/sg2/api/trpc/x',
    '/cells/',
  ]) {
    expect((await send(path, { key: keyOf('sg1') })).status, path).toBe(404);
  }
});

test('a signed event of Stripe goes to the cell that its metadata names', async () => {
  const event = (metadata: object) => JSON.stringify({ data: { object: { metadata, more: 'x'.repeat(20_000) } } });
  for (const path of ['/api/webhooks/stripe', '/api/webhooks/stripe/connect']) {
    expect(await cellOf(path, { method: 'POST', body: event({ cell: 'sg2' }) })).toBe('sg2');
    for (const body of [event({}), event({ cell: 'xx9' }), 'nonsense']) {
      expect(await cellOf(path, { method: 'POST', body })).toBe('sg1');
    }
  }
});

test('a key of a merchant that moved goes straight to its cell, and a reload drops no request', async () => {
  const key = keyOf('sg1');
  let isDone = false;
  const seen: string[] = [];
  const tills = Array.from({ length: 4 }, async () => {
    while (!isDone) seen.push(await cellOf('/api/v1/ping', { key }));
  });
  try {
    await expect.poll(() => seen).toContain('sg1');
    await router.addMovedKey(createHash('sha256').update(key).digest('hex'), 'sg2');
    await router.reload();
    expect(await cellOf('/api/v1/ping', { key })).toBe('sg2');
    expect(await cellOf('/api/v1/ping', { key: keyOf('sg1') })).toBe('sg1');
  } finally {
    isDone = true;
  }
  // Each has an answer of a cell, or this rejects.
  await Promise.all(tills);
  expect(new Set(seen)).toEqual(new Set(['sg1', 'sg2']));
});

test('a cell that is down takes only its own merchants with it, and tills are told when to try again', async () => {
  const { port: down } = cells.sg2.address() as AddressInfo;
  await stop(cells.sg2);
  try {
    const till = await send('/api/v1/ping', { key: keyOf('sg2') });
    expect(till).toMatchObject({
      status: 503,
      headers: {
        'retry-after': '2',
        'content-type': 'application/json',
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      },
    });
    expect(JSON.parse(till.text)).toEqual({
      error: {
        code: 'service_unavailable',
        message: 'The service is being restored. Send the same request again.',
        requestId: till.headers['x-request-id'],
        details: {},
        issues: [],
      },
    });
    const page = await send('/q/a', { host: 'sg2.loyalty.example.com' });
    expect(page).toMatchObject({ status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.text).toContain('<h1>Back soon</h1>');
    expect(await cellOf('/api/v1/ping', { key: keyOf('sg1') })).toBe('sg1');
    expect(await cellOf('/q/a', { host: 'sg1.loyalty.example.com' })).toBe('sg1');
  } finally {
    cells.sg2 = createStandIn('sg2');
    await listen(cells.sg2, down);
  }
  await expect.poll(async () => (await send('/api/v1/ping', { key: keyOf('sg2') })).status).toBe(200);
});

test('it logs no key and no address of a request', async () => {
  await send('/api/v1/customers/phone/%2B6591234567/balances', { key: keyOf('sg2') });
  await expect.poll(() => router.log()).toContain('"cell":"sg2"');
  expect(router.log()).not.toMatch(/sk_live|6591234567/);
});
