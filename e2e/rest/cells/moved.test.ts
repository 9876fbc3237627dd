/** A merchant that has moved: tills with its old key reach its new cell, through the router with a real HAProxy. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '@/clients/typescript/src/index';
import { queriesOn } from '@/db/driver';
import { freePort } from '@/db/operations/ports';
import { ownDatabase, type TestDatabase } from '@/db/testing/database';
import { type Router, startRouter } from '@/e2e/cells/router';
import { hashApiKey, newApiKey } from '@/server/domain/access';
import { createCell, originOf } from '@/server/domain/kernel/cells';
import { keepReferences, listMovedKeys } from '@/server/domain/merchants';
import { createFrontDoor } from '@/server/process/front-door';
import { bringIn, saveArchive, startExport } from '@/server/testing/archives';
import { createCustomer, createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { type KeptLog, keptLog } from '@/server/testing/kept-log';
import { expectError } from '../expectations';
import { newTransactionId } from '../harness';

interface Running {
  database: TestDatabase;
  server: Server;
  kept: KeptLog;
}

const databases = { sg1: ownDatabase(), sg2: ownDatabase() };
let cells: Record<keyof typeof databases, Running>;
let router: Router;
let origin: string;
let folder: string;
/** Lives in sg2, and did in sg1. */
let merchant: TestMerchant;

async function startCell(name: keyof typeof databases, port: number): Promise<Running> {
  const database = databases[name];
  const cell = createCell(name, `http://{cell}.localhost:${port}`);
  const services = { ...testServices(database.db), cell, publicOrigin: originOf(cell, name) };
  const kept = keptLog();
  const server = createFrontDoor({ services, log: kept.log, nextOrigin: 'http://127.0.0.1:9' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { database, server, kept };
}

/** As `merchant move` leaves it: whole in sg2, and in sg1 only known by its references. */
async function move(id: string): Promise<void> {
  const { sg1, sg2 } = cells;
  const { path } = await saveArchive(folder, await startExport(sg1.database, id));
  await bringIn(sg2.database, path);
  const { owner } = sg1.database;
  await owner.begin(async (tx) => {
    await tx`insert into merchant_moves ${tx({ merchant_id: id, state: 'left', cell: 'sg2', left_at: new Date() })}`;
    await keepReferences(queriesOn(tx), id);
    await tx`delete from api_keys where merchant_id = ${id}`;
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moved-'));
  const port = await freePort();
  cells = { sg1: await startCell('sg1', port), sg2: await startCell('sg2', port) };
  const portOf = ({ server }: Running) => (server.address() as AddressInfo).port;
  const [sg1, sg2] = [portOf(cells.sg1), portOf(cells.sg2)];
  router = await startRouter({ port, ports: { sg1: [sg1, sg1], sg2: [sg2, sg2] } });
  origin = `http://localhost:${port}`;
  merchant = await createMerchant(cells.sg1.database.owner);
  await createCustomer(cells.sg1.database.owner, merchant.id);
  await move(merchant.id);
});
afterAll(async () => {
  await router.stop();
  for (const { server, kept } of Object.values(cells)) {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
    kept.check();
  }
  rmSync(folder, { recursive: true });
});

/** The cells to which the router has sent the last four requests. */
const visited = () => [...router.log().matchAll(/"cell":"(sg\d)"/g)].map(([, cell]) => cell).slice(-4);

async function send(key: string, path: string, body?: unknown, redirect: RequestRedirect = 'manual') {
  const response = await fetch(`${origin}/api/v1${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    redirect,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const newSale = () => ({
  transactionId: newTransactionId(),
  lines: [{ plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 180, amount: 180 }],
  subtotal: 180,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: 180,
  payments: [{ method: 'cash', amount: 180 }],
  closedAt: new Date().toISOString(),
});

const countSales = async ({ database }: Running, transactionId: string): Promise<number> =>
  (await database.owner`select from transactions where transaction_id = ${transactionId}`).count;

test('308: the old cell says where to, in the header and in words', async () => {
  const { key } = merchant.stores[0];
  const answer = await send(key, '/events?limit=2');
  const { details, message } = expectError(answer, 308, 'merchant_moved');
  const baseUrl = `${origin}/cells/sg2/api/v1`;
  expect(details).toEqual({ baseUrl });
  expect(message).toBe(`This business has moved to another server. The POS must call ${baseUrl} now.`);
  expect(answer.headers.get('location')).toBe('/cells/sg2/api/v1/events?limit=2');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect((await send(key, '/sales', newSale())).headers.get('location')).toBe('/cells/sg2/api/v1/sales');
});

test('a till that follows is served in the new cell, with method and body, once for each transaction', async () => {
  const sale = newSale();
  const { key } = merchant.stores[0];
  const answers = [await send(key, '/sales', sale, 'follow'), await send(key, '/sales', sale, 'follow')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
  expect([await countSales(cells.sg1, sale.transactionId), await countSales(cells.sg2, sale.transactionId)]).toEqual([
    0, 1,
  ]);
});

test('our client follows, and goes straight to the new cell from then on', async () => {
  const client = createClient({ origin, apiKey: merchant.stores[0].key });
  for (const _ of ['first', 'second', 'third']) {
    const { data, error } = await client.POST('/sales', { body: newSale() });
    expect(error).toBeUndefined();
    expect(data).toBeDefined();
  }
  await expect.poll(visited).toEqual(['sg1', 'sg2', 'sg2', 'sg2']);
});

test('with its line in the map, a till that follows nothing reaches the new cell', async () => {
  const { key } = merchant;
  expect((await send(key, '/ping')).status).toBe(308);
  const moved = await listMovedKeys(queriesOn(cells.sg1.database.owner));
  expect(moved).toContainEqual({ hash: hashApiKey(key), cell: 'sg2' });
  for (const { hash, cell } of moved) await router.addMovedKey(hash.toString('hex'), cell);
  expect((await send(key, '/ping')).status).toBe(200);
});

test('an unknown key gets 401 in both cells, and another merchant is served as before', async () => {
  const other = await createMerchant(cells.sg1.database.owner);
  for (const name of ['sg1', 'sg2'])
    expectError(await send(newApiKey('sandbox', { cell: { name } }), '/ping'), 401, 'invalid_api_key');
  expect((await send(other.key, '/ping')).status).toBe(200);
});

test('503 while the merchant is arriving: the old cell may serve it again', async () => {
  const { owner } = cells.sg2.database;
  const { key } = merchant.stores[1];
  const arriving = { merchant_id: merchant.id, state: 'arriving', cell: 'sg1' };
  await owner`insert into merchant_moves ${owner(arriving)}`;
  try {
    const answer = await send(key, '/ping', undefined, 'follow');
    expectError(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  } finally {
    await owner`delete from merchant_moves where merchant_id = ${merchant.id}`;
  }
  expect((await send(key, '/ping', undefined, 'follow')).status).toBe(200);
});
