/** Brings a database to the current schema. Runs as the owner; several at once wait for each other. */
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { Logger, runMigrations } from 'graphile-worker';
import postgres from 'postgres';
import { appRole } from './client';
import { migrationsFolder } from './migrations-folder';

const migrationLock = 7_203_981;

/**
 * Applies what is missing. `url` signs in as the owner, who may create roles or finds `loyalty_app` made already. Errors:
 * `isLockedOut` where a table is in use for so long, `RoleNotGranted`; nothing is changed then.
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'loyalty-migrate' } });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    // Behind a table's long reader it would hold up everybody who comes after it.
    await sql`set lock_timeout = '10s'`;
    await ensureAppRole(sql);
    await installQueue(sql, url);
    await applyMigrations(drizzle(sql), { migrationsFolder });
    await sql.unsafe(`grant usage on schema drizzle to ${appRole}`);
    await sql.unsafe(`grant select on drizzle.__drizzle_migrations to ${appRole}`);
  } finally {
    await sql.end();
  }
}

/** `loyalty_app` was made for another database of the cluster, and this one's owner may not use it. */
export class RoleNotGranted extends Error {}

/** Whether `error` says that a table was in use for longer than a migration waits. */
export function isLockedOut(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code === '55P03' || cause?.code === '55P03';
}

async function ensureAppRole(sql: postgres.Sql): Promise<void> {
  const [role] = await sql`select 1 from pg_roles where rolname = ${appRole}`;
  if (!role) {
    // Roles belong to the whole cluster: another database's migration may be making it at this moment.
    await sql.unsafe(`create role ${appRole} nologin`).catch((error: { code?: string }) => {
      if (error.code !== '42710' && error.code !== '23505') throw error;
    });
  }
  await sql.unsafe(`grant ${appRole} to current_user`).catch(async (error: { code?: string }) => {
    if (error.code === '42501') await checkMembership(sql);
    else if (error.code !== '0LP01' && error.code !== 'XX000') throw error;
  });
}

/** For an owner that may not grant the role, to have been granted it is enough. */
async function checkMembership(sql: postgres.Sql): Promise<void> {
  const [owner] = await sql<[{ name: string; isMember: boolean }]>`
    select quote_ident(current_user) as name, pg_has_role(current_user, ${appRole}, 'member') as "isMember"`;
  if (owner.isMember) return;
  throw new RoleNotGranted(
    `${owner.name} may not use the role ${appRole}, which another database of this cluster has, too: ` +
      `both have to be closed to everybody else first (docs/operations.md). Its maker or a superuser has to: grant ${appRole} to ${owner.name} with admin option`,
  );
}

/** The job queue's own schema. Its tables are shut by row-level security, so the application's role is let in. */
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
