import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connect, type Database, isUnavailable } from './client';
import { runningClock } from './testing/running-clock';

/** A way to the database that can fall silent: bytes are taken and go nowhere, and nobody hangs up. */
let isSilent = false;
const sockets = new Set<Socket>();
const server = createServer((client) => {
  const { hostname, port } = new URL(inject('adminUrl'));
  const upstream = connectTcp(Number(port), hostname);
  sockets.add(client).add(upstream);
  client.on('data', (chunk) => isSilent || upstream.write(chunk)).on('error', () => {});
  upstream.on('data', (chunk) => isSilent || client.write(chunk)).on('error', () => {});
  client.on('close', () => upstream.destroy());
});
let db: Database;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(inject('adminUrl'));
  url.port = String((server.address() as AddressInfo).port);
  db = connect(url.href, { max: 2, statementTimeoutMs: 500 });
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await db.sql.end({ timeout: 0 });
});

test('a server that falls silent is given up, and found again when it speaks', async () => {
  expect(await db.sql`select 1 as one`).toEqual([{ one: 1 }]);
  isSilent = true;
  const clock = runningClock();
  const results = await Promise.allSettled([db.sql`select 2`, db.sql`select 3`, db.sql`select 4`]);
  expect(clock.stop()).toBeLessThan(4_000);
  for (const result of results) {
    expect(result.status).toBe('rejected');
    expect(isUnavailable((result as PromiseRejectedResult).reason)).toBe(true);
  }
  isSilent = false;
  expect(await db.sql`select 5 as five`).toEqual([{ five: 5 }]);
});
