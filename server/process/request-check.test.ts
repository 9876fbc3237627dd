/** What the front door refuses on its own, and the headers of every response. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCell } from '../domain/kernel/cells';
import { createLogger } from '../observe/log';
import { countAttempt } from '../testing/attempts';
import { testServices } from '../testing/factory';
import { createFrontDoor } from './front-door';
import { createRequestCheck } from './request-check';
import { readStaticFiles } from './static-files';

const publicOrigin = 'https://loyalty.example.com';
const database = sharedDatabase();
let folder: string;
let door: Server;
let origin: string;
/** Requests that came through to the stand-in for Next. */
let passed: string[] = [];
const next = createServer(({ url = '' }, response) => {
  passed.push(url);
  if (url !== '/stream') return void response.end('served');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('data: one\n\n');
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  await writeFile(join(folder, 'a.js.br'), 'compressed');
  door = createFrontDoor({
    services: { ...testServices(database.db), publicOrigin },
    log: createLogger('silent'),
    nextOrigin: await listen(next),
    files: await readStaticFiles(folder),
    allowedHosts: ['10.0.0.5'],
  });
  origin = await listen(door);
});
afterAll(async () => {
  for (const server of [door, next]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  passed = [];
});

const close = 'connection: close\r\n\r\n';

/** Sends `text` as it is, and resolves to all that comes back until the connection is closed. */
async function exchange(text: string): Promise<string> {
  const client = connect(Number(new URL(origin).port), '127.0.0.1');
  client.setEncoding('latin1').write(text);
  let received = '';
  for await (const chunk of client) received += chunk;
  countAttempt(/^HTTP\/1\.1 [45]/.test(received));
  return received;
}

test('it answers to its own names only, and to health checks under any', async () => {
  const get = async (host: string, path = '/') => {
    const [response] = await once(request(`${origin}${path}`, { headers: { host } }).end(), 'response');
    const chunks = await response.toArray();
    return [response.statusCode, Buffer.concat(chunks).toString()];
  };
  for (const host of [
    'loyalty.example.com',
    'Loyalty.example.com:8443',
    '10.0.0.5',
    'localhost:1',
    '127.0.0.1',
    '[::1]:80',
  ])
    expect(await get(host), host).toEqual([200, 'served']);
  for (const host of ['evil.example', 'evil.example:3000', 'loyalty.example.com.evil.example', '10.0.0.6', '[::2]']) {
    for (const path of ['/', '/sandbox-inbox', '/api/v1/ping', '/_next/static/a.js', '/api/healthy']) {
      expect(await get(host, path), `${host} ${path}`).toEqual([
        421,
        'The service does not answer to this host name. Use https://loyalty.example.com, or add the name to ALLOWED_HOSTS.\n',
      ]);
    }
    for (const path of ['/api/health', '/api/ready']) expect((await get(host, path))[0], `${host} ${path}`).toBe(200);
  }
});

test('a cell answers to the host names of the cells and of their API, which sends people to its own', async () => {
  const cell = createCell('sg1', 'https://{cell}.loyalty.example.com');
  const check = createRequestCheck({ publicOrigin: 'https://sg1.loyalty.example.com', cell }, []);
  const ask = (host: string, url: string, method = 'GET') =>
    check({ method, url, headers: { host }, rawHeaders: ['Host', host] } as never);
  for (const host of ['sg1.loyalty.example.com', 'sg2.loyalty.example.com:8443']) {
    for (const path of ['/api/v1/ping', '/q/a', '/api/webhooks/stripe']) expect(ask(host, path)).toBeNull();
  }
  for (const path of ['/api/v1/ping', '/api/health', '/api/webhooks/stripe']) {
    expect(ask('loyalty.example.com', path, 'POST')).toBeNull();
  }
  expect(ask('loyalty.example.com', '/q/a?b=1')).toMatchObject({
    status: 307,
    location: 'https://sg1.loyalty.example.com/q/a?b=1',
  });
  for (const host of ['a.sg1.loyalty.example.com', 'example.com', 'xloyalty.example.com', 'SG_1.loyalty.example.com']) {
    expect(ask(host, '/api/v1/ping')?.status, host).toBe(421);
  }
});

test('a request with no or two Host headers, or by TRACE, goes no further', async () => {
  for (const path of ['/', '/api/v1/ping', '/api/health']) {
    const doubled = await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n${close}`);
    expect(doubled).toMatch(/^HTTP\/1.1 400 /);
    expect(doubled).toContain('The request has more than one Host header.');
    const trace = await exchange(`TRACE ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: a=b\r\n${close}`);
    expect(trace).toMatch(/^HTTP\/1.1 405 /);
    expect(trace).toMatch(/^allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r$/im);
    expect(trace).not.toContain('a=b');
  }
  const hostless = await exchange(`GET / HTTP/1.1\r\n${close}`);
  expect(hostless).toMatch(/^HTTP\/1.1 400 /);
  expect(hostless).toContain('The request has no Host header.');
  // As some load balancers check health.
  expect(await exchange('GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  expect(passed).toEqual([]);
});

test('every response has the security headers: errors of its own and of Node, the REST API’s, files, event streams', async () => {
  const get = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\n${headers}${close}`;
  const expectHeaders = async (status: number, text: string) => {
    const answer = await exchange(text);
    expect(answer, text.slice(0, 80)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    for (const line of [
      'x-content-type-options: nosniff',
      'cross-origin-resource-policy: same-origin',
      "content-security-policy: frame-ancestors 'none'",
      'strict-transport-security: max-age=31536000; includesubdomains',
    ]) {
      expect(answer.toLowerCase().split(`\r\n${line}\r\n`), `${status} ${line}`).toHaveLength(2);
    }
  };
  const local = 'host: localhost\r\n';
  await expectHeaders(200, get('/', local));
  await expectHeaders(200, get('/stream', local));
  await expectHeaders(200, get('/_next/static/a.js', `${local}accept-encoding: br\r\n`));
  await expectHeaders(200, get('/api/health', local));
  await expectHeaders(400, 'nonsense\r\n\r\n');
  await expectHeaders(400, get('/', ''));
  await expectHeaders(401, get('/api/v1/ping', local));
  await expectHeaders(405, `TRACE / HTTP/1.1\r\n${local}${close}`);
  const extension = 'x'.repeat(20_000);
  await expectHeaders(413, `POST / HTTP/1.1\r\n${local}transfer-encoding: chunked\r\n\r\n1;${extension}\r\n`);
  await expectHeaders(417, get('/', `${local}expect: miracles\r\n`));
  await expectHeaders(421, get('/', 'host: evil.example\r\n'));
  await expectHeaders(431, get('/', `${local}x: ${'x'.repeat(20_000)}\r\n`));
  next.close();
  next.closeAllConnections();
  await expectHeaders(503, get('/', local));
});
