/** Migrates a database to the current schema. Runs as the owner; concurrent runs wait for each other. */

import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { Logger, runMigrations } from 'graphile-worker';
import postgres from 'postgres';
import { appRole } from './client';
import { migrationsFolder, newestMigration } from './migrations-folder';
import { StartupError } from './startup-error';

const migrationLock = 7_203_981;

/**
 * Applies the missing migrations. `url` signs in as the owner, who may create roles or finds that `loyalty_app` exists.
 * Errors: `StartupError`, and then nothing is changed.
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'loyalty-migrate' } });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    // While it waits for a lock, it blocks every query that arrives after it.
    await sql`set lock_timeout = '10s'`;
    await checkOrigin(sql);
    await checkAge(sql);
    await ensureAppRole(sql);
    await installQueue(sql, url);
    await applyMigrations(drizzle(sql), { migrationsFolder }).catch(explainLock);
    await sql.unsafe(`grant usage on schema drizzle to ${appRole}`);
    await sql.unsafe(`grant select on drizzle.__drizzle_migrations to ${appRole}`);
  } finally {
    await sql.end();
  }
}

/** Explains that a migration waits for its locks only for a limited time. */
function explainLock(error: { code?: string; cause?: { code?: string } }): never {
  if (error.code !== '55P03' && error.cause?.code !== '55P03') throw error;
  throw new StartupError('A table is in use: nothing is migrated. Stop the service and long queries, and try again.');
}

/** Errors: `StartupError` where the database does not start with our first migration. */
async function checkOrigin(sql: postgres.Sql): Promise<void> {
  const [isThere] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as yes`;
  if (!isThere?.yes) return;
  const [first] = await sql`select hash from drizzle.__drizzle_migrations order by created_at limit 1`;
  if (!first || first.hash === readMigrationFiles({ migrationsFolder })[0]?.hash) return;
  throw new StartupError(
    'This database was created by a version before the first release, and cannot be brought up to date. Start with an ' +
      'empty one; that of the demo is in the folder .data, which can be removed.',
  );
}

/** Errors: `StartupError` where a later release has migrated the database. */
async function checkAge(sql: postgres.Sql): Promise<void> {
  const [isThere] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as yes`;
  if (!isThere?.yes) return;
  const [later] =
    await sql`select from drizzle.__drizzle_migrations where created_at > ${newestMigration().at} limit 1`;
  if (later) throw new StartupError('The database has the schema of a later release: nothing is changed.');
}

/**
 * Errors: `StartupError` where the role was created for another database of the cluster, and this owner may not use it.
 */
async function ensureAppRole(sql: postgres.Sql): Promise<void> {
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
async function checkMembership(sql: postgres.Sql): Promise<void> {
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
async function installQueue(sql: postgres.Sql, url: string): Promise<void> {
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
