/** Applies migrations while the service runs: none of them keeps its requests waiting for long. */

import { setTimeout as wait } from 'node:timers/promises';
import type { ISql, Sql } from '../driver';
import { StartupError } from '../startup-error';
import { protectInstances } from './instances';
import type { Migration } from './migrations-folder';

/**
 * While a migration waits for a lock, every query that comes after it waits, too: tills have less than five seconds. It
 * waits so long for all of its locks together.
 */
const lockMs = 1_000;
/** A lock that nobody holds is there at once. */
const leastLockMs = 50;
/** For how long it is tried again to get the locks. */
const patienceMs = 120_000;

/** Returns those of `migrations` that the database does not have, in order. */
export async function pendingOf(sql: ISql, migrations: Migration[]): Promise<Migration[]> {
  const applied = new Set((await sql`select hash from drizzle.__drizzle_migrations`).map(({ hash }) => hash));
  return migrations.filter(({ hash }) => !applied.has(hash));
}

/**
 * Applies those of `migrations` that the database does not have, in order, and calls `report` before each. `sql` has one
 * connection, of the owner. Errors: `StartupError` if a table stays in use, or an instance is connected that the migration
 * would end; else the statement's. The migration can then be tried again. Those before it stay applied.
 */
export async function applyMigrations(sql: Sql, migrations: Migration[], report: (tag: string) => void): Promise<void> {
  for (const migration of await pendingOf(sql, migrations)) {
    report(migration.tag);
    // The driver connects anew without a word, and the lock that keeps other runs waiting is lost: each attempt looks
    // whether another run was faster. An instance may have started meanwhile, too.
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

/** Builds indexes and the like, whose waiting stops no other query. A run that was interrupted begins again. */
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

/** Tries again while tables are in use. Errors: `StartupError` if they stay so. */
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

/** An index whose build failed stays, is updated by every write, and is used by no query. */
async function dropUnfinished(sql: Sql, index: string): Promise<void> {
  const [unfinished] = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  if (unfinished) await sql`drop index concurrently ${sql(index)}`;
}

/** Not available in time, or two transactions waited for each other. */
const isContention = (error: unknown) => ['55P03', '40P01'].includes(String((error as { code?: string }).code));

const record = (sql: ISql, { hash, at, compatibleSince }: Migration) => sql`
  insert into drizzle.__drizzle_migrations (hash, created_at, compatible_since) values (${hash}, ${at}, ${compatibleSince})`;
