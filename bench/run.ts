/**
 * `npm run bench`: a database of its own with a large merchant, and what the back office's lists take there; then another
 * for what the worker does by the clock. `-- --only back-office` or `worker` leaves out the other.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { startEmbedded } from '@/db/embedded';
import { migrate } from '@/db/migrate';
import { run } from '@/server/cli/run';
import { StartupError } from '@/server/env';
import { measureBackOffice } from './back-office';
import { seedMerchant } from './seed';
import { measureWorker } from './worker';

const folder = resolve(process.env.DATA_DIR || '.data', 'bench');
const say = (line: string) => process.stdout.write(`${line}\n`);

run(async () => {
  const { values } = parseArgs({
    options: {
      customers: { type: 'string', default: '1000000' },
      entries: { type: 'string', default: '5000000' },
      birthdays: { type: 'string', default: '100000' },
      lots: { type: 'string', default: '1000000' },
      only: { type: 'string' },
    },
  });
  const size = { customers: Number(values.customers), entries: Number(values.entries) };
  const due = { birthdays: Number(values.birthdays), lots: Number(values.lots) };
  if (!(Number.isInteger(size.customers) && size.customers > 0 && size.entries >= size.customers)) {
    throw new StartupError('--customers and --entries take whole numbers, and there are at least as many entries.');
  }
  if (!(Number.isInteger(due.birthdays) && due.birthdays > 0 && Number.isInteger(due.lots) && due.lots > 0)) {
    throw new StartupError('--birthdays and --lots take whole numbers.');
  }
  const server = await startEmbedded({ dataDir: folder, unsafe: true });
  try {
    await prepareServer(server);
    const isFast = values.only === 'worker' || (await measureBackOffice(await seededDatabase(server.url, size), say));
    const isFlat = values.only === 'back-office' || (await measureWorker(await emptyDatabase(server.url), due, say));
    if (!isFast || !isFlat) process.exitCode = 1;
  } finally {
    await server.stop();
  }
});

/** Statements are timed by the server itself. */
async function prepareServer(server: Awaited<ReturnType<typeof startEmbedded>>): Promise<void> {
  const admin = postgres(server.url(), { max: 1, onnotice: () => {} });
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

/** A database of each size is seeded once, and kept. Answers its address. */
async function seededDatabase(urlOf: (database?: string) => string, size: { customers: number; entries: number }) {
  const name = `bench_${size.customers}_${size.entries}`;
  const admin = postgres(urlOf(), { max: 1, onnotice: () => {} });
  const [existing] = await admin`select from pg_database where datname = ${name}`;
  if (!existing) {
    const draft = `${name}_draft`;
    await admin.unsafe(`drop database if exists ${draft} with (force)`);
    await admin.unsafe(`create database ${draft}`);
    await migrate(urlOf(draft));
    say(`Seeding ${size.customers} customers and ${size.entries} ledger entries.`);
    const sql = postgres(urlOf(draft), { max: 1, onnotice: () => {} });
    await sql`create extension pg_stat_statements`;
    await seedMerchant(sql, size, say);
    await sql.end();
    await admin.unsafe(`alter database ${draft} rename to ${name}`);
  }
  await admin.end();
  await migrate(urlOf(name));
  return urlOf(name);
}

/** A migrated database that nothing was done in before. Answers its address. */
async function emptyDatabase(urlOf: (database?: string) => string): Promise<string> {
  const name = 'bench_worker';
  const admin = postgres(urlOf(), { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  await migrate(urlOf(name));
  return urlOf(name);
}
