/** Where webhooks may be sent, and what we accept from receivers. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countAttempt } from '../testing/attempts';
import { startReceiver } from '../testing/webhook-receiver';
import { createWebhookSender } from './webhook-sender';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => 200;
});
afterAll(() => receiver.stop());

const local = createWebhookSender({ allowsOwnMachine: true, timeoutMs: 500 });
const send = (url: string, sender = local) =>
  sender.send({ url, headers: { 'webhook-id': 'one' }, body: '{"type":"webhook.test"}' });

/** For `localhost`, signed by itself. */
function newCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...named], { stdio: 'ignore' });
  const files = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return files;
}

const portOf = (url: string) => new URL(url).port;

describe('in production', () => {
  /** Resolves names to whatever their owner chooses. */
  const resolving = (...addresses: string[]) =>
    createWebhookSender({
      allowsOwnMachine: false,
      timeoutMs: 500,
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    });
  const production = createWebhookSender({ allowsOwnMachine: false, timeoutMs: 500 });

  test.each([
    ...['https://127.0.0.1', 'https://127.1', 'https://2130706433', 'https://0x7f.1', 'https://0177.0.0.1'],
    ...['https://①②⑦.0.0.1', 'https://0.0.0.0'],
    ...['https://169.254.169.254', 'https://169.254.170.2', 'https://10.0.0.1', 'https://172.16.0.1'],
    ...[
      'https://192.168.0.1',
      'https://100.64.0.1',
      'https://192.0.0.8',
      'https://224.0.0.1',
      'https://255.255.255.255',
    ],
    ...[
      'https://[::1]',
      'https://[::]',
      'https://[::ffff:127.0.0.1]',
      'https://[::ffff:a00:1]',
      'https://[::127.0.0.1]',
    ],
    ...['https://[64:ff9b::127.0.0.1]', 'https://[2002:7f00:1::]', 'https://[fd00::1]', 'https://[fe80::1]'],
    ...['https://user:password@127.0.0.1', 'https://example.com@127.0.0.1'],
  ])('nothing is sent to %s', async (origin) => {
    const result = await send(`${origin}:${portOf(receiver.url)}/`, production);
    countAttempt(result.status === null);
    expect(result).toMatchObject({ outcome: 'retry', status: null, error: 'not_public' });
    expect(receiver.atOnce.now).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['100.64.0.1']],
    [['fd00::1']],
    [['93.184.216.34', '127.0.0.1']],
  ])('nothing is sent to a name that stands for %s when it is connected to', async (addresses) => {
    const result = await send(`https://hooks.example:${portOf(receiver.url)}/`, resolving(...addresses));
    countAttempt(result.status === null);
    expect(result).toMatchObject({ status: null, error: 'not_public' });
  });

  test('names of the machine’s own network are unknown', async () => {
    const result = await send(`https://localhost:${portOf(receiver.url)}/`, production);
    expect(result).toMatchObject({ outcome: 'retry', status: null, error: 'unknown_host' });
  });

  test('nothing is sent without TLS', async () => {
    expect(await send(receiver.url, production)).toMatchObject({ status: null, error: 'not_public' });
    expect(receiver.received).toEqual([]);
  });
});

describe('on a developer’s machine', () => {
  test('sends to this machine, by name and by address, without TLS', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await send(`http://${host}:${portOf(receiver.url)}/hook`)).toMatchObject({ outcome: 'sent', status: 200 });
    }
    expect(receiver.received[0]).toMatchObject({
      id: 'one',
      body: '{"type":"webhook.test"}',
      headers: { 'content-type': 'application/json', 'user-agent': 'Loyalty-Webhooks/1', 'content-length': '23' },
    });
  });

  test.each(['http://10.0.0.1/', 'http://192.168.1.1/', 'http://169.254.169.254/'])(
    'sends nothing to its network: %s',
    async (url) => expect(await send(url)).toMatchObject({ status: null, error: 'not_public' }),
  );

  test('a certificate that nobody vouches for is refused', async () => {
    const server = createServer(newCertificate(), (_, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await send(`https://localhost:${port}/`)).toMatchObject({ status: null, error: 'certificate' });
    server.close();
  });
});

describe('an answer', () => {
  test.each([
    [200, 'sent'],
    [204, 'sent'],
    [301, 'retry'],
    [400, 'retry'],
    [404, 'retry'],
    [410, 'refused'],
    [429, 'retry'],
    [500, 'retry'],
  ] as const)('of %i: %s', async (status, outcome) => {
    receiver.answer = () => status;
    expect(await send(receiver.url)).toMatchObject({ outcome, status, error: null, answer: '' });
  });

  test('that redirects is not followed', async () => {
    receiver.answer = () => (response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
    expect(await send(receiver.url)).toMatchObject({ outcome: 'retry', status: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  test('that changes the protocol (101) ends the attempt', async () => {
    const server = createSocketServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'));
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'retry', status: 101, answer: '' });
    server.close();
  });

  test('is kept to 1,000 characters that PostgreSQL can store', async () => {
    receiver.answer = () => (response) => response.end(`\0${'🍜'.repeat(600)}`);
    const { answer } = await send(receiver.url);
    expect(answer).toBe('🍜'.repeat(500));
    receiver.answer = () => (response) => response.end(`a${'🍜'.repeat(600)}`);
    expect((await send(receiver.url)).answer).toBe(`a${'🍜'.repeat(499)}\ufffd`);
  });

  test('without end is read to 64 KB', async () => {
    let sent = 0;
    receiver.answer = () => (response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384;
        sent += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await send(receiver.url)).toMatchObject({ outcome: 'sent', status: 200, answer: 'x'.repeat(1_000) });
    // The buffers between us may hold some more.
    expect(sent).toBeLessThan(8_000_000);
  });

  test('that never comes is given up in time', async () => {
    receiver.answer = () => () => {};
    const { durationMs, ...result } = await send(receiver.url);
    expect(result).toMatchObject({ outcome: 'retry', status: null, error: 'timeout' });
    expect(durationMs).toBeGreaterThanOrEqual(490);
  });

  test.each([
    ['does not end', 200, 'sent', () => {}],
    ['is cut', 200, 'sent', (response: ServerResponse) => response.destroy()],
    ['does not end, after a refusal', 503, 'retry', () => {}],
    ['does not end, after a refusal for good', 410, 'refused', () => {}],
  ] as const)('whose body %s counts by its status', async (_, status, outcome, end) => {
    receiver.answer = () => (response) => {
      response.writeHead(status, { 'content-length': 100 });
      response.write('working on it', () => end(response));
    };
    expect(await send(receiver.url)).toMatchObject({ outcome, status, answer: 'working on it', error: null });
  });
});

test('a receiver that is not there, and one that nobody knows', async () => {
  const gone = createPlainServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'retry', error: 'no_connection' });
  expect(await send('http://nobody.invalid/')).toMatchObject({ outcome: 'retry', error: 'unknown_host' });
  const nowhere = createWebhookSender({ allowsOwnMachine: false, resolve: async () => [] });
  expect(await send('https://hooks.example/', nowhere)).toMatchObject({ outcome: 'retry', error: 'unknown_host' });
});

test('a connection that the receiver closed meanwhile costs no attempt', async () => {
  let connections = 0;
  const server = createSocketServer((socket) => {
    connections += 1;
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      // The connection is closed when the next request uses it.
      socket.once('data', () => socket.resetAndDestroy());
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await send(url)).toMatchObject({ outcome: 'sent' });
  expect(await send(url)).toMatchObject({ outcome: 'sent' });
  expect(connections).toBe(2);
  server.close();
});
