import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runningClock } from '../testing/running-clock';
import { connectDatabase, type Database } from './client';
import { isUnavailable } from './errors';

/** A proxy to the database that can go silent: it accepts bytes, forwards nothing and keeps the connection open. */
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
  db = connectDatabase(url.href, { max: 2, statementTimeoutMs: 500 });
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await db.close();
});

const select = (value: number) => db.pool.select({ value: sql`${value}::int` }).from(sql`(select) one`);

test('a silent server is abandoned, and used again once it responds', async () => {
  expect(await select(1)).toEqual([{ value: 1 }]);
  isSilent = true;
  const clock = runningClock();
  const results = await Promise.allSettled([select(2), select(3), select(4)]);
  expect(clock.stop()).toBeLessThan(4_000);
  for (const result of results) {
    expect(result.status).toBe('rejected');
    expect(isUnavailable((result as PromiseRejectedResult).reason)).toBe(true);
  }
  isSilent = false;
  expect(await select(5)).toEqual([{ value: 5 }]);
});
