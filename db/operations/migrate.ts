/** Migrates a database to the current schema. Runs as the owner; concurrent runs wait for each other. */

import { setTimeout as wait } from 'node:timers/promises';
import { ne } from 'drizzle-orm';
import { Logger, runMigrations } from 'graphile-worker';
import { appRole, openSql, queriesOn, type Sql } from '../driver';
import { merchantMoves } from '../schema';
import { StartupError } from '../startup-error';
import { applyMigrations, pendingOf } from './apply-migrations';
import { protectInstances } from './instances';
import { type Migration, readMigrations } from './migrations-folder';
import { type SchemaState, schemaState } from './schema-state';

const migrationLock = 7_203_981;

/**
 * Applies the missing migrations, and calls `report` with the name of each. The service may run meanwhile. `url` signs
 * in as the owner, who may create roles, or else `loyalty_app` must exist. Returns `newer` and changes nothing if a
 * later release has migrated the database and this one can run on it. Errors: `StartupError`; migrations before the
 * failed one stay applied.
 */
export async function migrate(url: string, report: (tag: string) => void = () => {}): Promise<SchemaState> {
  const sql = openSql(url, {
    max: 1,
    // The connection must not be replaced: it holds the lock below.
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'loyalty-migrate', statement_timeout: 0, lock_timeout: 0 },
  });
  try {
    await waitForOthers(sql);
    const migrations = readMigrations();
    await checkOrigin(sql, migrations);
    await prepareRecords(sql);
    const state = await schemaState(queriesOn(sql));
    if (state === 'incompatible') {
      throw new StartupError('The database has the schema of a later release: nothing is changed.');
    }
    if (state === 'newer') return state;
    const pending = await pendingOf(sql, migrations);
    if (pending.length > 0) await ensureNobodyMoves(sql);
    await protectInstances(sql, migrations, pending);
    await ensureAppRole(sql);
    await installQueue(sql, url);
    await applyMigrations(sql, migrations, report);
    await sql.unsafe(`grant usage on schema drizzle to ${appRole}`);
    await sql.unsafe(`grant select on drizzle.__drizzle_migrations to ${appRole}`);
    return 'current';
  } finally {
    await sql.end();
  }
}

/**
 * Polls for the lock. A statement that waits for it would hold a snapshot, and a concurrent index build waits for all
 * snapshots.
 */
async function waitForOthers(sql: Sql): Promise<void> {
  for (;;) {
    const [lock] = await sql`select pg_try_advisory_lock(${migrationLock}) as "isOurs"`;
    if (lock?.isOurs) return;
    await wait(100);
  }
}

/** Errors: `StartupError` while a merchant moves between cells, because replication needs the same schema in both. */
async function ensureNobodyMoves(sql: Sql): Promise<void> {
  const [table] = await sql`select to_regclass('public.merchant_moves') is not null as "isThere"`;
  if (!table?.isThere) return;
  const { state } = merchantMoves;
  const moving = await queriesOn(sql).select({ state }).from(merchantMoves).where(ne(state, 'left'));
  if (moving.length === 0) return;
  throw new StartupError(
    'A merchant is being moved between cells (merchant list): nothing is changed until it has ended.',
  );
}

/** Creates the table that records which migrations were applied: Drizzle's columns and ours. */
async function prepareRecords(sql: Sql): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint, compatible_since bigint)`;
  const [column] = await sql`select from pg_attribute
    where attrelid = 'drizzle.__drizzle_migrations'::regclass and attname = 'compatible_since'`;
  if (!column) await sql`alter table drizzle.__drizzle_migrations add column compatible_since bigint`;
}

/** Errors: `StartupError` where the database has a migration that no release had, such as one that was merged into others. */
async function checkOrigin(sql: Sql, migrations: Migration[]): Promise<void> {
  const [isThere] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as yes`;
  if (!isThere?.yes) return;
  const applied = await sql<{ hash: string; at: string }[]>`
    select hash, created_at as at from drizzle.__drizzle_migrations`;
  const ours = new Set(migrations.map(({ hash }) => hash));
  const newest = migrations.at(-1)?.at ?? 0;
  // Later ones are those of a later release.
  if (applied.every(({ hash, at }) => ours.has(hash) || Number(at) > newest)) return;
  throw new StartupError(
    'This database was created by a version that is no release, and cannot be brought up to date. Start with an empty ' +
      'one; that of the demo is in the folder .data, which can be removed.',
  );
}

/** Errors: `StartupError` if the role belongs to another database of the cluster and this owner may not use it. */
async function ensureAppRole(sql: Sql): Promise<void> {
  const [role] = await sql`select 1 from pg_roles where rolname = ${appRole}`;
  if (!role) {
    // Roles belong to the whole cluster: another database's migration may be creating it right now.
    await sql.unsafe(`create role ${appRole} nologin`).catch((error: { code?: string }) => {
      if (error.code !== '42710' && error.code !== '23505') throw error;
    });
  }
  await sql.unsafe(`grant ${appRole} to current_user`).catch(async (error: { code?: string }) => {
    if (error.code === '42501') await checkMembership(sql);
    else if (error.code !== '0LP01' && error.code !== 'XX000') throw error;
  });
}

/** Checks that an owner who may not grant the role is a member of it. */
async function checkMembership(sql: Sql): Promise<void> {
  const [owner] = await sql<[{ name: string; isMember: boolean }]>`
    select quote_ident(current_user) as name, pg_has_role(current_user, ${appRole}, 'member') as "isMember"`;
  if (owner.isMember) return;
  throw new StartupError(
    `${owner.name} may not use the role ${appRole}, which another database of this cluster has, too: ` +
      `both have to be closed to everybody else first (docs/operations.md). Its maker or a superuser has to: grant ${appRole} to ${owner.name} with admin option`,
  );
}

/**
 * Installs the job queue's own schema. Row-level security closes its tables, so the application's role gets policies.
 */
async function installQueue(sql: Sql, url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: quiet });
  await sql.unsafe(`
    grant usage on schema graphile_worker to ${appRole};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${appRole};
    grant usage on all sequences in schema graphile_worker to ${appRole};
    grant execute on all functions in schema graphile_worker to ${appRole};
    do $$ declare queue_table record; begin
      for queue_table in select tablename from pg_tables t where schemaname = 'graphile_worker' and rowsecurity
        and not exists (select from pg_policies p where p.schemaname = t.schemaname and p.tablename = t.tablename)
      loop
        execute format('create policy application on graphile_worker.%I to ${appRole} using (true) with check (true)', queue_table.tablename);
      end loop;
    end $$`);
}

const quiet = new Logger(() => () => {});
