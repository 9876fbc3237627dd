/** Applies migrations while the service runs. None of them keeps a request waiting for long. */

import { setTimeout as wait } from 'node:timers/promises';
import type { ISql, Sql } from '../driver';
import { StartupError } from '../startup-error';
import { protectInstances } from './instances';
import type { Migration } from './migrations-folder';

/**
 * The total time that a migration waits for its locks. Later queries on the table wait behind it, and a till waits less
 * than five seconds.
 */
const lockMs = 1_000;
/** Enough for a lock that is free. */
const leastLockMs = 50;
/** For how long a migration retries to get its locks. */
const patienceMs = 120_000;

/** Returns those of `migrations` that the database does not have, in order. */
export async function pendingOf(sql: ISql, migrations: Migration[]): Promise<Migration[]> {
  const applied = new Set((await sql`select hash from drizzle.__drizzle_migrations`).map(({ hash }) => hash));
  return migrations.filter(({ hash }) => !applied.has(hash));
}

/**
 * Applies the missing ones of `migrations` in order, and calls `report` before each. `sql` has one connection, of the
 * owner. Errors: `StartupError` if a table stays in use, or if a connected instance can't run on the new schema;
 * otherwise the statement's error. The failed migration can be tried again. Earlier ones stay applied.
 */
export async function applyMigrations(sql: Sql, migrations: Migration[], report: (tag: string) => void): Promise<void> {
  for (const migration of await pendingOf(sql, migrations)) {
    report(migration.tag);
    // If the driver has silently reconnected, the lock that keeps other runs out is lost. So each attempt checks again
    // whether another run was faster, and whether an instance has started.
    const isOurs = async (tx: ISql) => {
      await tx`lock table drizzle.__drizzle_migrations in share row exclusive mode`;
      if ((await pendingOf(tx, [migration])).length === 0) return false;
      await protectInstances(tx, migrations, [migration]);
      return true;
    };
    await (migration.isAtomic ? applyAtOnce : applyOneByOne)(sql, migration, isOurs);
  }
}

type IsOurs = (tx: ISql) => Promise<boolean>;

async function applyAtOnce(sql: Sql, migration: Migration, isOurs: IsOurs): Promise<void> {
  await patiently(migration, () =>
    sql.begin(async (tx) => {
      const begunAt = performance.now();
      const limitWaiting = () => {
        const leftMs = Math.max(leastLockMs, Math.floor(lockMs - (performance.now() - begunAt)));
        return tx.unsafe(`set local lock_timeout = ${leftMs}`);
      };
      await limitWaiting();
      if (!(await isOurs(tx))) return;
      for (const statement of migration.statements) {
        await limitWaiting();
        await tx.unsafe(statement);
      }
      await record(tx, migration);
    }),
  );
}

/** Builds indexes and the like one by one: waiting for them blocks no other query. An interrupted run starts over. */
async function applyOneByOne(sql: Sql, migration: Migration, isOurs: IsOurs): Promise<void> {
  for (const statement of migration.statements) {
    const [, index] =
      /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?(\w+)"?/i.exec(statement) ?? [];
    await patiently(migration, async () => {
      if (!(await sql.begin(isOurs))) return;
      if (index) await dropUnfinished(sql, index);
      await sql.unsafe(statement);
    });
  }
  await patiently(migration, () => sql.begin(async (tx) => void ((await isOurs(tx)) && (await record(tx, migration)))));
}

/** Retries while tables are in use. Errors: `StartupError` if they stay in use. */
async function patiently({ tag }: Migration, attempt: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ; ) {
    try {
      return void (await attempt());
    } catch (error) {
      if (!isContention(error)) throw error;
      if (performance.now() > deadline) {
        throw new StartupError(
          `A table is in use: ${tag} is not applied. End long queries (pg_stat_activity), and try again.`,
        );
      }
      await wait(500 + Math.random() * 1_000);
    }
  }
}

/** Drops an index whose build failed. It would stay, cost time at every write, and serve no query. */
async function dropUnfinished(sql: Sql, index: string): Promise<void> {
  const [unfinished] = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  if (unfinished) await sql`drop index concurrently ${sql(index)}`;
}

/** True for a lock that was not available in time, and for a deadlock. */
const isContention = (error: unknown) => ['55P03', '40P01'].includes(String((error as { code?: string }).code));

const record = (sql: ISql, { hash, at, compatibleSince }: Migration) => sql`
  insert into drizzle.__drizzle_migrations (hash, created_at, compatible_since) values (${hash}, ${at}, ${compatibleSince})`;
