/** Applies migrations while the service runs: none of them keeps its requests waiting for long. */
import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Migration } from './migrations-folder';
import { StartupError } from './startup-error';

/** While a statement waits for a lock, every query that comes after it waits, too: tills have less than five seconds. */
const lockTimeout = '1s';
/** For how long it is tried again to get a lock. */
const patienceMs = 120_000;

/**
 * Applies those of `migrations` that the database does not have, in order, and calls `report` before each. `sql` has one
 * connection, of the owner. Errors: `StartupError` if a table stays in use, else the statement's; the migration can then be
 * tried again. Those before it stay applied.
 */
export async function applyMigrations(
  sql: postgres.Sql,
  migrations: Migration[],
  report: (tag: string) => void,
): Promise<void> {
  const applied = new Set((await sql`select hash from drizzle.__drizzle_migrations`).map(({ hash }) => hash));
  for (const migration of migrations) {
    if (applied.has(migration.hash)) continue;
    report(migration.tag);
    await (migration.isAtomic ? applyAtOnce(sql, migration) : applyOneByOne(sql, migration));
  }
}

async function applyAtOnce(sql: postgres.Sql, migration: Migration): Promise<void> {
  const attempt = () =>
    sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = '${lockTimeout}'`);
      for (const statement of migration.statements) await tx.unsafe(statement);
      await record(tx, migration);
    });
  for (const deadline = performance.now() + patienceMs; ; ) {
    try {
      return void (await attempt());
    } catch (error) {
      if (!isContention(error)) throw error;
      if (performance.now() > deadline) {
        throw new StartupError(
          `A table is in use: ${migration.tag} is not applied. End long queries (pg_stat_activity), and try again.`,
        );
      }
      await wait(500 + Math.random() * 1_000);
    }
  }
}

/** Builds indexes and the like, whose waiting stops no other query. A run that was interrupted begins again. */
async function applyOneByOne(sql: postgres.Sql, migration: Migration): Promise<void> {
  for (const statement of migration.statements) {
    const [, index] =
      /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?(\w+)"?/i.exec(statement) ?? [];
    if (index) await dropUnfinished(sql, index);
    await sql.unsafe(statement);
  }
  await record(sql, migration);
}

/** An index whose build failed stays, is updated by every write, and is used by no query. */
async function dropUnfinished(sql: postgres.Sql, index: string): Promise<void> {
  const [unfinished] = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  if (unfinished) await sql`drop index concurrently ${sql(index)}`;
}

/** Not available in time, or two transactions waited for each other. */
const isContention = (error: unknown) => ['55P03', '40P01'].includes(String((error as { code?: string }).code));

const record = (sql: postgres.ISql, { hash, at, compatibleSince }: Migration) => sql`
  insert into drizzle.__drizzle_migrations (hash, created_at, compatible_since) values (${hash}, ${at}, ${compatibleSince})`;
