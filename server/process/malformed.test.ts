/**
 * What is no proper HTTP request. A proxy in front and the service could read it differently, and a second request hide in
 * the body of the first (request smuggling): each gets one error, and nothing of it reaches Next.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createLogger } from '../observe/log';
import { countAttempt } from '../testing/attempts';
import { testServices } from '../testing/factory';
import { createFrontDoor } from './front-door';

const database = sharedDatabase();
let door: Server;
/** Requests that came through to the stand-in for Next. */
let passed: string[] = [];
const next = createServer(({ url = '' }, response) => {
  passed.push(url);
  response.end('served');
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const services = testServices(database.db);
  door = createFrontDoor({ services, log: createLogger('silent'), nextOrigin: await listen(next) });
  await listen(door);
});
afterAll(async () => {
  for (const server of [door, next]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  passed = [];
});

/** Sends `bytes` as they are. Returns the statuses of the responses that come until the service closes the connection. */
async function exchange(bytes: string): Promise<string[]> {
  const client = connect((door.address() as AddressInfo).port, '127.0.0.1');
  client.setEncoding('latin1').write(bytes, 'latin1');
  let received = '';
  for await (const chunk of client) received += chunk;
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
  countAttempt(statuses.every((status) => status >= '400'));
  return statuses;
}

const hidden = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const post = (headers: string, body: string) => `POST /x HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;
const get = (headers: string) => `GET /x HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${hidden}`;

test.each([
  ['two lengths', post('Content-Length: 0\r\nContent-Length: 4', hidden)],
  ['a list of lengths', post('Content-Length: 0, 4', hidden)],
  ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${hidden}`)],
  ['a length with a sign', post('Content-Length: +0', hidden)],
  ['a negative length', post('Content-Length: -1', hidden)],
  ['a length in hexadecimal', post('Content-Length: 0x0', hidden)],
  ['a length that overflows', post('Content-Length: 18446744073709551616', hidden)],
  ['an encoding that nobody knows', post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`)],
  ['an encoding after chunked', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`)],
  ['two encodings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x', `0\r\n\r\n${hidden}`)],
  ['a space before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`)],
  ['a tab in a name', post('Transfer\tEncoding: chunked', `0\r\n\r\n${hidden}`)],
  ['no name', post(': chunked', hidden)],
  ['a chunk of no size', post('Transfer-Encoding: chunked', `\r\n\r\n${hidden}`)],
  ['a chunk size with 0x', post('Transfer-Encoding: chunked', `0x0\r\n\r\n${hidden}`)],
  ['a chunk size with a space', post('Transfer-Encoding: chunked', `0 \r\n\r\n${hidden}`)],
  ['a chunk size that overflows', post('Transfer-Encoding: chunked', `ffffffffffffffff1\r\n${hidden}`)],
  ['a chunk that is longer than it says', post('Transfer-Encoding: chunked', `1\r\nabc\r\n0\r\n\r\n${hidden}`)],
  ['a line feed alone after a chunk size', post('Transfer-Encoding: chunked', `0\n\n${hidden}`)],
  ['a line feed alone before a header', get('A: b\nContent-Length: 0')],
  ['a carriage return alone before a header', get('A: b\rContent-Length: 0')],
  ['a header in two lines', get('A: b\r\n c')],
  ['a zero byte in a header', get('A: b\0c')],
  ['a control character in a header', get('A: b\x01c')],
  ['a name that is not ASCII', get('\xc3\xa4: b')],
  ['a zero byte in the address', `GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden}`],
  ['a space in the address', `GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden}`],
  ['a method in lower case', `get / HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden}`],
  ['a method that nobody knows', `HACK / HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden}`],
  ['HTTP/0.9', `GET /x\r\n\r\n${hidden}`],
  ['HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
  ['a version that nobody knows', `GET /x HTTP/9.9\r\nHost: localhost\r\n\r\n${hidden}`],
  ['TLS', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${hidden}`],
])('%s gets 400, and nothing behind it is served', async (_, bytes) => {
  expect(await exchange(bytes)).toEqual(['400']);
  expect(passed).toEqual([]);
});

test('a tunnel is not opened', async () => {
  expect(await exchange(`CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n${hidden}`)).toEqual([]);
  expect(passed).toEqual([]);
});

test('a proper request is answered, and so is the one after it', async () => {
  expect(await exchange(post('Content-Length: 4', `body${hidden}`))).toEqual(['200', '200']);
  expect(passed).toEqual(['/x']);
});
