import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, inject, test } from 'vitest';
import { cloneDatabase } from '@/db/testing/database';
import { createFrontDoor, endEventStreams } from './front-door';
import { createLogger } from './log';
import { testServices } from './testing/factory';

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

test('an open event stream passes through as it comes, and does not hold up a stop, here or behind', async () => {
  const database = await cloneDatabase(inject('adminUrl'));
  cleanUp.push(() => database.drop());
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
