import { sql as statement } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { applyMigrations } from './apply-migrations';
import { appRole, connect as connectService } from './client';
import { migrate } from './migrate';
import { type Migration, newestMigration } from './migrations-folder';
import { cloneDatabase, type TestDatabase } from './testing/database';

let database: TestDatabase;
let migrator: postgres.Sql;

const connect = () => postgres(database.url, { max: 1, onnotice: () => {} });

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  migrator = connect();
});
afterAll(async () => {
  await migrator.end();
  await database.drop();
});

const migration = (tag: string, statements: string[], other: Partial<Migration> = {}): Migration => ({
  ...{ tag, statements, hash: `hash of ${tag}`, at: Date.now(), isAtomic: true, compatibleSince: 0 },
  ...other,
});
const apply = (migrations: Migration[]) => applyMigrations(migrator, migrations, () => {});
const isApplied = async (tag: string) => {
  const found = await database.owner`select from drizzle.__drizzle_migrations where hash = ${`hash of ${tag}`}`;
  return found.length === 1;
};

test('one that fails leaves nothing of itself, and those before it stay', async () => {
  const first = migration('first', ['create table firsts (id int)']);
  const broken = migration('broken', ['create table seconds (id int)', 'select 1 / 0']);
  await expect(apply([first, broken])).rejects.toThrow('division by zero');
  expect(await Promise.all(['first', 'broken'].map(isApplied))).toEqual([true, false]);
  expect((await database.owner`select to_regclass('seconds') as id`)[0]?.id).toBeNull();
  await apply([first, migration('broken', ['create table seconds (id int)'])]);
  expect(await isApplied('broken')).toBe(true);
});

test('while a report holds a table, no other query waits longer than a second for the migration, which comes after it', async () => {
  const { owner } = database;
  const change = migration('waits', ['alter table firsts add column note text']);
  const reader = connect();
  let longestMs = 0;
  let isMigrating = true;
  const till = async () => {
    while (isMigrating) {
      const startedAt = performance.now();
      await owner`insert into firsts (id) values (1)`;
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  };
  const { applied, selling } = await reader.begin(async (tx) => {
    await tx`select from firsts`;
    const applied = apply([change]).finally(() => {
      isMigrating = false;
    });
    const waits = () => owner`
      select from pg_locks where relation = 'firsts'::regclass and mode = 'AccessExclusiveLock' and not granted`;
    await expect.poll(async () => (await waits()).length).toBe(1);
    const selling = till();
    // It gives up, and tries again later.
    await expect.poll(() => longestMs, { timeout: 5_000 }).toBeGreaterThan(50);
    expect(await isApplied('waits')).toBe(false);
    return { applied, selling };
  });
  await Promise.all([applied, selling]);
  expect(await isApplied('waits')).toBe(true);
  expect(longestMs).toBeLessThan(2_000);
  await reader.end();
});

test('an index whose build failed is built again, and every step runs outside of a transaction', async () => {
  const { owner } = database;
  await owner`truncate firsts`;
  await owner`insert into firsts (id) values (7), (7)`;
  const index = migration('index', ['create unique index concurrently if not exists "firsts_id" on "firsts" ("id")'], {
    isAtomic: false,
  });
  const isValid = async () => {
    const [found] = await owner`select indisvalid as valid from pg_index where indexrelid = to_regclass('firsts_id')`;
    return found?.valid;
  };
  await expect(apply([index])).rejects.toThrow('could not create unique index');
  expect([await isValid(), await isApplied('index')]).toEqual([false, false]);
  await owner`update firsts set id = 8 where ctid = (select min(ctid) from firsts)`;
  await apply([index]);
  expect([await isValid(), await isApplied('index')]).toEqual([true, true]);
});

test('a second run waits for the first without stopping it from building an index', async () => {
  const { owner } = database;
  await migrator`select pg_advisory_lock(7203981)`;
  const second = migrate(database.url);
  const isThere = () => owner`select from pg_stat_activity
    where application_name = 'loyalty-migrate' and datname = current_database()`;
  await expect.poll(async () => (await isThere()).length).toBe(1);
  await migrator`create index concurrently on firsts (note)`;
  await migrator`select pg_advisory_unlock(7203981)`;
  expect(await second).toBe('newer');
});

test('what would end the release at work is refused until its instances are stopped', async () => {
  const { owner, url, drop } = await cloneDatabase(inject('adminUrl'));
  const { hash } = newestMigration();
  await owner`delete from drizzle.__drizzle_migrations where hash = ${hash}`;
  await owner`update drizzle.__drizzle_migrations set created_at = 1 where created_at > 1`;
  const instance = connectService(url, { role: appRole, max: 1 });
  await instance.pool.run(statement`select`);
  await expect(migrate(url)).rejects.toThrow('ends what the release that runs now needs');
  await instance.close();
  await expect.poll(() => migrate(url).catch(({ message }) => message)).not.toContain('ends what the release');
  await drop();
});
