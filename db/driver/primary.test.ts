import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../operations/embedded';
import { only, type Queries } from '../query/queries';
import { eventually } from '../testing/driver';
import { connectDatabase, type Database, queriesOn } from './client';
import { addressesOf, primaryOf } from './primary';

const folders: string[] = [];
const password = randomUUID();
let primary: EmbeddedServer;
let standby: EmbeddedServer;
let db: Database;

/** The connection URL of one server, or of both. */
const urlOf = (...servers: EmbeddedServer[]) =>
  `postgres://till:${password}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;

async function startServer(): Promise<EmbeddedServer> {
  const dataDir = join(tmpdir(), `primary-${randomUUID()}`);
  folders.push(dataDir);
  const server = await startEmbedded({ dataDir, unsafe: true });
  await ask(server.url(), `create role till superuser login password '${password}'`);
  return server;
}

async function ask(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false });
  await sql.unsafe(statement).finally(() => sql.end());
}

beforeAll(async () => {
  [primary, standby] = [await startServer(), await startServer()];
  await standby.stop();
  // It waits for a primary that never comes: read-only until it is promoted.
  writeFileSync(join(folders[1] as string, 'cluster', 'standby.signal'), '');
  await standby.restart();
  db = connectDatabase(urlOf(standby, primary), { max: 3 });
});

afterAll(async () => {
  await db?.close();
  await Promise.all([primary?.stop(), standby?.stop()]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const portOf = async (queries: Queries): Promise<number> =>
  only(await queries.select({ port: sql<number>`inet_server_port()` }).from(sql`(select) one`)).port;

/** The server ports of all the pool's connections, while all are in use. */
async function portsInUse(): Promise<number[]> {
  const handles = await Promise.all([db.reserve(), db.reserve()]);
  try {
    return await Promise.all([db.reads, ...handles.map(queriesOn)].map(portOf));
  } finally {
    for (const handle of handles) handle.release();
  }
}

test('an address with several hosts becomes one address per host', () => {
  const after = 'loyalty?sslmode=require';
  expect(addressesOf(`postgres://me:p%40ss@db1:5433,db2/${after}`)).toEqual([
    `postgres://me:p%40ss@db1:5433/${after}`,
    `postgres://me:p%40ss@db2/${after}`,
  ]);
  expect(addressesOf('postgresql://db1/loyalty')).toEqual(['postgresql://db1/loyalty']);
});

test('the pool skips a standby, and uses it once it is promoted and the primary is gone', async () => {
  expect(await portsInUse()).toEqual([primary.port, primary.port, primary.port]);
  expect(await primaryOf(urlOf(standby, primary))).toBe(urlOf(primary));
  await primary.stop();
  await expect(primaryOf(urlOf(primary, standby))).rejects.toThrow();
  await expect(db.pool.run(sql`select 1`)).rejects.toThrow();
  await ask(urlOf(standby), 'select pg_promote()');
  await eventually(async () => {
    expect(await portsInUse()).toEqual([standby.port, standby.port, standby.port]);
  }, 5_000);
  expect(await primaryOf(urlOf(primary, standby))).toBe(urlOf(standby));
});

test('a single address stays unchanged', async () => {
  expect(await primaryOf('postgres://nobody@127.0.0.1:1/nothing')).toBe('postgres://nobody@127.0.0.1:1/nothing');
});
