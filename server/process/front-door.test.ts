import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createLogger } from '../observe/log';
import { testServices } from '../testing/factory';
import { createFrontDoor } from './front-door';
import { endEventStreams } from './next-proxy';
import { readiness } from './readiness';

const database = sharedDatabase();
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanUp.splice(0).reverse()) await one();
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an open event stream is proxied as it comes, and delays no stop, here or in Next', async () => {
  const next = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('data: one\n\n');
  });
  const streaming = once(next, 'request');
  const services = testServices(database.db);
  const door = createFrontDoor({ services, log: createLogger('silent'), nextOrigin: await listen(next) });
  const stream = await fetch(`${await listen(door)}/api/trpc/changes`);
  const reader = stream.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n');

  const [, behind] = await streaming;
  const [ended, closed] = [once(behind, 'close'), once(door, 'close')];
  door.close();
  endEventStreams();
  await Promise.all([ended, closed]);
  await expect(reader?.read()).rejects.toThrow();
});

/**
 * Starts a front door before a stand-in for Next, which answers everything except `/slow` at once. Also returns the
 * requests that wait there.
 */
async function openDoor(trustedProxies: number, isDev = false) {
  const waiting: ServerResponse[] = [];
  const next = createServer(({ url }, response) => (url === '/slow' ? waiting.push(response) : response.end('served')));
  const options = { services: testServices(database.db), log: createLogger('silent'), trustedProxies, isDev };
  const door = createFrontDoor({ ...options, nextOrigin: await listen(next) });
  const origin = await listen(door);
  const ask = async (path: string, client: string) =>
    (await fetch(`${origin}${path}`, { headers: { 'x-forwarded-for': client } })).status;
  return { door, next, origin, waiting, ask };
}

test('pipelined requests hold no places once their connection is closed', async () => {
  const { door, origin, waiting, ask } = await openDoor(0);
  let requests = 0;
  door.on('request', () => {
    requests += 1;
  });
  const client = connect(Number(new URL(origin).port), '127.0.0.1');
  cleanUp.push(() => client.destroy());
  client.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(300));
  await vi.waitFor(() => expect([requests, waiting.length]).toEqual([300, 1]), 40_000);
  client.destroy();
  expect(await ask('/', '')).toBe(200);
});

/** Sends an upgrade request. */
const askToUpgrade = (origin: string, path: string, upgrade: string) =>
  request(`${origin}${path}`, { headers: { connection: 'Upgrade', upgrade }, timeout: 5_000 }).end();

test.each(['websocket', 'h2c'])(
  'an upgrade request to %s is answered like any other, and delays no stop',
  async (name) => {
    const { door, next, origin } = await openDoor(0);
    // Like Next, it ignores such a socket, which may belong to another listener.
    next.on('upgrade', () => {});
    const statuses: number[] = [];
    for (const path of ['/nothing-here', '/api/health', '/api/v1/ping']) {
      const [response] = await once(askToUpgrade(origin, path, name), 'response');
      statuses.push(response.resume().statusCode);
    }
    expect(statuses).toEqual([200, 200, 401]);
    await new Promise((done) => door.close(done));
  },
);

test('in development, Next gets the WebSockets that it accepts, and no others; they delay no stop', async () => {
  const { door, next, origin } = await openDoor(0, true);
  next.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
  });
  await expect(once(askToUpgrade(origin, '/elsewhere', 'websocket'), 'upgrade')).rejects.toThrow('socket hang up');
  const foreign = request(`${origin}/_next/hmr?id=1`, {
    headers: { connection: 'Upgrade', upgrade: 'websocket', host: 'evil.example' },
  });
  await expect(once(foreign.end(), 'upgrade')).rejects.toThrow('socket hang up');
  const [, socket] = await once(askToUpgrade(origin, '/_next/hmr?id=1', 'websocket'), 'upgrade');
  const closed = [once(socket, 'close'), once(door, 'close')];
  door.close();
  endEventStreams();
  await Promise.all(closed);
});

test('slow clients of one network leave room for others, and for their own once they are served', async () => {
  const { waiting, ask } = await openDoor(1);
  const slow = Array.from({ length: 64 }, (_, n) => ask('/slow', `2001:db8:1:2::${n}`));
  await vi.waitFor(() => expect(waiting).toHaveLength(64), 40_000);
  expect(await ask('/', '2001:db8:1:2:ffff::1')).toBe(503);
  expect(await ask('/', '2001:db8:1:3::1')).toBe(200);
  for (const response of waiting) response.end();
  expect(new Set(await Promise.all(slow))).toEqual(new Set([200]));
  await vi.waitFor(async () => expect(await ask('/', '2001:db8:1:2:ffff::1')).toBe(200), 40_000);
});

test('event streams leave room for requests, however many are open', async () => {
  const { door, origin, waiting, ask } = await openDoor(0);
  cleanUp.push(endEventStreams);
  const opened: Promise<unknown>[] = [];
  for (let streams = 0; streams < 300; streams += 50) {
    for (let n = 0; n < 50; n++) opened.push(once(request(`${origin}/slow`).end(), 'response'));
    await vi.waitFor(() => expect(waiting).toHaveLength(50), 40_000);
    for (const response of waiting.splice(0)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
    }
    await Promise.all(opened);
  }
  expect(await ask('/', '')).toBe(200);
  door.close();
});

test('a client’s `Connection: close` leaves no unusable connection to Next behind', async () => {
  const { next, origin, ask } = await openDoor(0);
  const toNext: Socket[] = [];
  next.on('connection', (socket) => toNext.push(socket));
  // Like event streams that end on their own.
  next.prependListener('request', (_, response) => response.setHeader('connection', 'keep-alive'));
  for (let n = 0; n < 3; n++) {
    const [response] = await once(request(origin, { headers: { connection: 'close' } }).end(), 'response');
    expect(response.headers).toMatchObject({ connection: 'close' });
    await once(response.resume(), 'close');
  }
  expect(await ask('/', '')).toBe(200);
  expect(toNext).toHaveLength(1);
});

test('a client’s connection headers are handled here, and spoil no connection to Next', async () => {
  const { next, origin, ask } = await openDoor(0);
  next.prependListener('request', (_, response) => response.setHeader('connection', 'keep-alive'));
  for (const [method, framing] of [
    ['GET', {}],
    ['POST', { 'content-length': 5 }],
    ['POST', { 'transfer-encoding': 'chunked' }],
  ] as const) {
    const headers = { ...framing, expect: '100-continue', connection: 'close' };
    const asking = request(origin, { method, headers });
    asking.flushHeaders();
    await once(asking, 'continue');
    asking.end(method === 'GET' ? undefined : 'hello');
    const [response] = await once(asking, 'response');
    expect(response.resume().statusCode).toBe(200);
    expect(await ask('/', '')).toBe(200);
  }
});

test.each([200_000, 1_000_000, 3_000_000])(
  'a body of %i bytes that Next does not read to its end delays no other request',
  async (bytes) => {
    const { next, origin, ask } = await openDoor(0);
    next.prependListener('request', (asked, response) => {
      // Like a route that has read enough.
      if (asked.method === 'POST') asked.once('data', () => response.writeHead(413).end() && asked.pause());
    });
    for (let n = 0; n < 3; n++) {
      const response = await fetch(`${origin}/slow`, { method: 'POST', body: Buffer.alloc(bytes) });
      expect(response.status).toBe(413);
      expect(await ask('/', '')).toBe(200);
    }
  },
);

test('while Next is down, every request gets 503 at once', async () => {
  const { next, origin } = await openDoor(0);
  next.close();
  next.closeAllConnections();
  for (const init of [{}, { method: 'HEAD' }, { method: 'POST', body: 'hello' }]) {
    for (let n = 0; n < 70; n++) {
      const response = await fetch(origin, init);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      if (init.method !== 'HEAD') expect(await response.json()).toEqual({ status: 'starting' });
    }
  }
  const upload = request(origin, { method: 'POST', headers: { 'content-length': 200_000 } }).on('error', () => {});
  upload.write('hel');
  const [refused] = await once(upload, 'response');
  expect([refused.statusCode, refused.headers.connection]).toEqual([503, 'close']);
  upload.destroy();
});

test('a request that kills Next gets 503: starting', async () => {
  const { next, origin, waiting } = await openDoor(0);
  for (const init of [{}, { method: 'POST', body: 'hello' }]) {
    const answer = fetch(`${origin}/slow`, init);
    await vi.waitFor(() => expect(waiting.splice(0)).toHaveLength(1), 40_000);
    next.closeAllConnections();
    expect((await answer).status).toBe(503);
  }
});

test('an idle connection to Next is closed before Next closes it', async () => {
  const { next, ask } = await openDoor(0);
  const connected = once(next, 'connection');
  await ask('/', '');
  const [socket] = await connected;
  const endedBy = await Promise.race([
    once(socket, 'end').then(() => 'the door'),
    once(socket, 'timeout').then(() => 'Next'),
  ]);
  expect(endedBy).toBe('the door');
});

test('concurrent readiness checks share one query', async () => {
  const first = readiness(database.db);
  expect(readiness(database.db)).toBe(first);
  expect(await first).toMatchObject({ ready: true });
  expect(readiness(database.db)).not.toBe(first);
});

test('it is ready while the database and Next answer and it is not about to stop', async () => {
  const state = { isNextUp: true, isDraining: false };
  const door = createFrontDoor({
    services: testServices(database.db),
    log: createLogger('silent'),
    nextOrigin: 'http://127.0.0.1:1',
    isNextUp: () => state.isNextUp,
    isDraining: () => state.isDraining,
  });
  const origin = await listen(door);
  const ready = async () => {
    const response = await fetch(`${origin}/api/ready`);
    return [response.status, await response.json()];
  };
  const current = { database: 'ok', migrations: 'current' };
  expect(await ready()).toEqual([200, { status: 'ready', ...current, next: 'ok' }]);
  state.isNextUp = false;
  expect(await ready()).toEqual([503, { status: 'not_ready', ...current, next: 'away' }]);
  Object.assign(state, { isNextUp: true, isDraining: true });
  expect(await ready()).toEqual([503, { status: 'stopping', ...current, next: 'ok' }]);
  const health = await fetch(`${origin}/api/health`);
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'close']);
});
