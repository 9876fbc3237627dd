/** The benchmarks' PostgreSQL, in a separate folder, and its databases. Each size is seeded once and kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { type EmbeddedServer, startEmbedded } from '@/db/operations/embedded';
import { migrate } from '@/db/operations/migrate';
import { isQuick } from './pace';
import { type Size, seedMerchant } from './seed';

const folder = isQuick
  ? mkdtempSync(join(tmpdir(), 'loyalty-bench-'))
  : resolve(process.env.DATA_DIR || '.data', 'bench');

/** Removes the databases of a quick run. */
export function removeQuick(): void {
  if (isQuick) rmSync(folder, { recursive: true, force: true });
}

export type Say = (line: string) => void;

/** Runs `work` on the server. With `isDurable`, a commit waits for the disk, as in production. */
export async function withServer<T>(isDurable: boolean, work: (server: EmbeddedServer) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir: folder, unsafe: !isDurable });
  try {
    await prepare(server);
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Makes the server time statements itself. */
async function prepare(server: EmbeddedServer): Promise<void> {
  const admin = connectTo(server);
  const [loaded] = await admin`show shared_preload_libraries`;
  const isPrepared = loaded?.shared_preload_libraries !== '';
  if (!isPrepared) {
    await admin`alter system set shared_preload_libraries = 'pg_stat_statements'`;
    await admin`alter system set pg_stat_statements.track_planning = on`;
    await admin`alter system set shared_buffers = '1GB'`;
    await admin`alter system set max_wal_size = '8GB'`;
  }
  await admin.end();
  if (isPrepared) return;
  await server.stop();
  await server.restart();
}

const connectTo = (server: EmbeddedServer) => postgres(server.url(), { max: 1, onnotice: () => {} });
const nameOf = ({ customers, entries }: Size) => `bench_${customers}_${entries}`;

/** Seeds a database of this size if there is none yet; returns its URL. */
export async function seededDatabase(server: EmbeddedServer, size: Size, say: Say): Promise<string> {
  const name = nameOf(size);
  const admin = connectTo(server);
  const [existing] = await admin`select from pg_database where datname = ${name}`;
  if (!existing) {
    const draft = `${name}_draft`;
    await makeDatabase(server, draft);
    await migrate(server.url(draft));
    say(`Seeding ${size.customers} customers and ${size.entries} ledger entries.`);
    const sql = postgres(server.url(draft), { max: 1, onnotice: () => {} });
    await sql`create extension pg_stat_statements`;
    await seedMerchant(sql, size, say);
    await sql.end();
    await admin.unsafe(`alter database ${draft} rename to ${name}`);
  }
  await admin.end();
  await migrate(server.url(name));
  return server.url(name);
}

/** Makes a copy of the seeded database, to write to; returns its URL. */
export async function copyOfSeeded(server: EmbeddedServer, size: Size): Promise<string> {
  return makeDatabase(server, `${nameOf(size)}_copy`, nameOf(size));
}

/** Makes a new, migrated database; returns its URL. */
export async function emptyDatabase(server: EmbeddedServer, name: string): Promise<string> {
  const url = await makeDatabase(server, name);
  await migrate(url);
  return url;
}

async function makeDatabase(server: EmbeddedServer, name: string, template = 'template1'): Promise<string> {
  const admin = connectTo(server);
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  await admin.end();
  return server.url(name);
}
