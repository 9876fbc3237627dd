import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { compressStaticFiles } from '../cli/compress-static';
import { readStaticFiles } from './static-files';

const script = `console.log(${JSON.stringify('tables '.repeat(100))});`;
let base: string;
let folder: string;
let port: number;
const server = createServer();

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'build-'));
  folder = join(base, 'static');
  await mkdir(join(folder, 'chunks'), { recursive: true });
  await writeFile(join(folder, 'chunks', 'a-1.js'), script);
  await writeFile(join(folder, 'chunks', 'b-2.css'), 'body { color: green }');
  await writeFile(join(folder, 'photo.webp'), 'small already');
  await writeFile(join(base, 'secret.js.br'), 'nobody may read this');
  await compressStaticFiles(folder);
  // Larger than a connection's buffers.
  await writeFile(join(folder, 'chunks', 'big-3.js.br'), randomBytes(8_000_000));
  const files = await readStaticFiles(folder);
  server.on('request', (request, response) => {
    if (!files.serve(request, response)) response.writeHead(418).end('from Next');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await rm(base, { recursive: true });
});

/** Sends the path unchanged and returns the raw body: `fetch` would normalize and decompress. */
async function get(path: string, { method = 'GET', accept = 'gzip, deflate, br' } = {}) {
  const asked = ask({ port, path, method, headers: { 'accept-encoding': accept } }).end();
  const [response] = await once(asked, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

test('a build file is served in Brotli, cached for ever', async () => {
  const { status, headers, body } = await get('/_next/static/chunks/a-1.js?dpl=1');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=UTF-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
  expect(body.length).toBeLessThan(script.length / 4);
  expect((await get('/_next/static/chunks/b-2.css')).headers['content-type']).toBe('text/css; charset=UTF-8');
});

test('a HEAD request gets no body', async () => {
  const { status, body } = await get('/_next/static/chunks/a-1.js', { method: 'HEAD' });
  expect([status, body.length]).toEqual([200, 0]);
});

test.each(['gzip', 'identity', '', 'brotli', 'gzip, br;q=0', 'br; q=0.0'])(
  'a client that does not accept Brotli (%s) is served by Next',
  async (accept) => {
    expect((await get('/_next/static/chunks/a-1.js', { accept })).status).toBe(418);
  },
);

test.each(['br', 'gzip, deflate, br, zstd', 'gzip;q=0.5,br;q=0.9', 'br;q=1.0'])(
  'a client that accepts Brotli (%s) gets it',
  async (accept) => {
    expect((await get('/_next/static/chunks/a-1.js', { accept })).status).toBe(200);
  },
);

test.each([
  '/_next/static/photo.webp',
  '/_next/static/chunks/a-1.js.br',
  '/_next/static/../secret.js',
  '/_next/static/%2e%2e/secret.js',
  '/_next/static/chunks/../../secret.js',
  '/_next/static/',
  '/chunks/a-1.js',
  '/_next/static/nothing.js',
])('%s is not served from the build', async (path) => {
  expect((await get(path)).status).toBe(418);
});

test('such a path accepts no writes', async () => {
  expect((await get('/_next/static/chunks/a-1.js', { method: 'POST' })).status).toBe(418);
});

/** The build files that this process has open. */
const heldOpen = () =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const path = `/proc/self/fd/${descriptor}`;
    const file = existsSync(path) ? readlinkSync(path) : '';
    return file.startsWith(folder) ? [file] : [];
  });

test.skipIf(process.platform !== 'linux')('an aborted download leaves no file open', async () => {
  for (let n = 0; n < 20; n++) {
    const headers = { 'accept-encoding': 'br' };
    const asked = ask({ port, path: '/_next/static/chunks/big-3.js', headers, agent: false }).end();
    await once(asked, 'response');
    asked.destroy();
  }
  await vi.waitFor(() => expect(heldOpen()).toEqual([]), 40_000);
});
