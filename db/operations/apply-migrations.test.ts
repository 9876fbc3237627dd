import { sql as statement } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { appRole, connectDatabase as connectService, openSql, type Sql } from '../driver';
import { cloneDatabase } from '../testing/clone';
import { ownDatabase } from '../testing/database';
import { applyMigrations } from './apply-migrations';
import { migrate } from './migrate';
import { type Migration, readMigrations } from './migrations-folder';

const database = ownDatabase();
let migrator: Sql;

const connect = () => openSql(database.url);

beforeAll(async () => {
  migrator = connect();
});
afterAll(() => migrator.end());

const migration = (tag: string, statements: string[], other: Partial<Migration> = {}): Migration => ({
  tag,
  statements,
  hash: `hash of ${tag}`,
  at: Date.now(),
  isAtomic: true,
  compatibleSince: 0,
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

test('while a report holds a table, the migration lets tills go on, and comes after it', async () => {
  const { owner } = database;
  const change = migration('waits', ['alter table firsts add column note text']);
  const reader = connect();
  const queued = async (mode: string) => {
    const found =
      await owner`select from pg_locks where relation = 'firsts'::regclass and mode = ${mode} and not granted`;
    return found.length;
  };
  const { applied } = await reader.begin(async (tx) => {
    await tx`select from firsts`;
    const applied = apply([change]);
    await expect.poll(() => queued('AccessExclusiveLock')).toBe(1);
    const till = database.owner`insert into firsts (id) values (1)`.execute();
    await expect.poll(() => queued('RowExclusiveLock')).toBe(1);
    // `migrate` waits for the lock, gives up, and tries again later: it must succeed although the report goes on.
    await till;
    expect(await isApplied('waits')).toBe(false);
    return { applied };
  });
  await applied;
  expect(await isApplied('waits')).toBe(true);
  await reader.end();
});

test('it waits a second for all locks together', async () => {
  const seen = "insert into firsts (id) values (extract(ms from current_setting('lock_timeout')::interval))";
  await database.owner`truncate firsts`;
  await apply([migration('locks', [seen, 'select pg_sleep(0.6)', seen, 'select pg_sleep(0.4)', seen])]);
  const waits = (await database.owner`select id from firsts order by id desc`).map(({ id }) => Number(id));
  expect(waits[0]).toBeGreaterThan(600);
  expect(waits[1]).toBeLessThanOrEqual(400);
  expect(waits[2]).toBe(50);
});

test('an attempt on a new connection sees what another run has applied meanwhile', async () => {
  const change = migration('twice', ['alter table firsts add column twice text']);
  const reader = connect();
  const { applied } = await reader.begin(async (tx) => {
    await tx`select from firsts`;
    const applied = apply([change]);
    const idle = () => database.owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle' and query = 'rollback'`;
    await expect.poll(async () => (await idle()).length).toBe(1);
    await tx.unsafe(change.statements[0] as string);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at, compatible_since) values (${change.hash}, ${change.at}, 0)`;
    return { applied };
  });
  await applied;
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

test('one statement at a time, too, is tried again where a table is in use', async () => {
  await migrator`set lock_timeout = '20ms'`;
  const holder = connect();
  const index = migration('busy', ['create index concurrently if not exists "firsts_twice" on "firsts" ("twice")'], {
    isAtomic: false,
  });
  const { applied } = await holder.begin(async (tx) => {
    await tx`lock table firsts in share update exclusive mode`;
    const applied = apply([index]);
    const refused = () => database.owner`
      select from pg_stat_activity where datname = current_database() and state = 'idle' and query = ${index.statements[0] as string}`;
    await expect.poll(async () => (await refused()).length).toBe(1);
    return { applied };
  });
  await applied;
  await holder.end();
  await migrator`reset lock_timeout`;
  expect(await isApplied('busy')).toBe(true);
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

describe('beside an instance of an earlier release', () => {
  /** The migrations of two later releases: N + 1 expands the schema, and N + 2 drops what N uses. */
  const [newest] = readMigrations().slice(-1) as [Migration];
  const numbered = (n: number, name: string, sql: string, compatibleSince: number) =>
    migration(`${String(Number(newest.tag.slice(0, 4)) + n).padStart(4, '0')}_${name}`, [sql], {
      at: newest.at + n,
      compatibleSince,
    });
  const expand = numbered(1, 'adds', 'alter table stores add column note text', 0);
  const contract = numbered(2, 'drops', 'alter table stores drop column name', newest.at + 1);
  const applyAll = (url: string, ...later: Migration[]) => {
    const sql = openSql(url);
    return applyMigrations(sql, [...readMigrations(), ...later], () => {}).finally(() => sql.end());
  };
  const instanceOf = async (url: string, name: string) => {
    const sql = openSql(url, { connection: { application_name: name } });
    await sql`select`;
    return sql;
  };

  test('what ends it is refused until the last one is stopped, also when the release in between has migrated', async () => {
    const { owner, url, drop } = await cloneDatabase(inject('adminUrl'));
    const instance = connectService(url, { role: appRole, max: 1 });
    await instance.pool.run(statement`select`);
    const [own] = await owner`
      select application_name as name from pg_stat_activity where datname = current_database() and application_name ~ '^loyalty '`;
    expect(own?.name).toBe(`loyalty ${newest.tag.slice(0, 4)}`);
    await applyAll(url, expand);
    // Twice, because a refused run must still protect the next run.
    for (let n = 0; n < 2; n++) {
      await expect(applyAll(url, expand, contract)).rejects.toThrow(
        `${contract.tag} ends what an earlier release needs that runs now (${own?.name})`,
      );
    }
    await owner`select name from stores`;
    await instance.close();
    // A worker of the oldest release counts. A worker of the release in between does not.
    const worker = await instanceOf(url, `loyalty-worker ${newest.tag.slice(0, 4)}`);
    const between = await instanceOf(url, `loyalty ${expand.tag.slice(0, 4)}`);
    await expect(applyAll(url, expand, contract)).rejects.toThrow('(loyalty-worker ');
    await worker.end();
    await expect.poll(() => applyAll(url, expand, contract).catch(({ message }) => message)).toBeUndefined();
    await expect(owner`select name from stores`).rejects.toThrow('does not exist');
    await between.end();
    await drop();
  });

  test('one that starts while a contract migration waits is not ended, either', async () => {
    const { owner, url, drop } = await cloneDatabase(inject('adminUrl'));
    const reader = await instanceOf(url, 'a report');
    const { refused, instance } = await reader.begin(async (tx) => {
      await tx`select from stores`;
      const refused = expect(applyAll(url, expand, contract)).rejects.toThrow('ends what an earlier release needs');
      const waits = () => owner`select from pg_locks where relation = 'stores'::regclass and not granted`;
      await expect.poll(async () => (await waits()).length).toBe(1);
      return { refused, instance: await instanceOf(url, `loyalty ${newest.tag.slice(0, 4)}`) };
    });
    await refused;
    await owner`select name from stores`;
    await Promise.all([reader.end(), instance.end()]);
    await drop();
  });

  test('the command refuses it before it changes anything', async () => {
    const { owner, url, drop } = await cloneDatabase(inject('adminUrl'));
    const ending = readMigrations().findLast(({ compatibleSince }) => compatibleSince !== 0);
    await owner`delete from drizzle.__drizzle_migrations where hash = ${ending?.hash ?? ''}`;
    const instance = await instanceOf(url, 'loyalty 0001');
    await expect(migrate(url)).rejects.toThrow(`${ending?.tag} ends what an earlier release needs`);
    await instance.end();
    await drop();
  });
});
