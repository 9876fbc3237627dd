import { appRole, type Database } from '@/db/client';
import { knownMigrations } from '@/db/migrations-folder';
import type { Services } from './domain/core/context';
import { StartupError } from './env';
import type { Logger } from './log';

export interface Readiness {
  ready: boolean;
  database: 'ok' | 'away';
  migrations: 'current' | 'behind' | 'unknown';
}

const underWay = new WeakMap<Database['sql'], Promise<Readiness>>();

/**
 * Whether this process can do its work now: the database answers and has the schema that this code knows. All who ask at
 * the same time share one query.
 */
export function readiness({ sql }: Database): Promise<Readiness> {
  let state = underWay.get(sql);
  if (!state) {
    state = lookUp(sql).finally(() => underWay.delete(sql));
    underWay.set(sql, state);
  }
  return state;
}

async function lookUp(sql: Database['sql']): Promise<Readiness> {
  try {
    const [row] = await sql`select count(*)::int as applied from drizzle.__drizzle_migrations`;
    const isCurrent = row !== undefined && row.applied >= knownMigrations();
    return { ready: isCurrent, database: 'ok', migrations: isCurrent ? 'current' : 'behind' };
  } catch (error) {
    // 3F000, 42P01, 42501: there is a database, but no schema of ours in it.
    const isEmpty = ['3F000', '42P01', '42501'].includes(String((error as { code?: string }).code));
    return { ready: false, database: isEmpty ? 'ok' : 'away', migrations: isEmpty ? 'behind' : 'unknown' };
  }
}

/** Errors: `StartupError` where the database is away, not migrated, or would let the application past its bounds. */
export async function checkDatabase({ sql, openSession }: Database): Promise<void> {
  let roles: { name: string; superuser: boolean; bypass: boolean; owner: boolean; isBounded: boolean }[];
  try {
    roles = await sql`
      select current_setting('statement_timeout') <> '0' as "isBounded", current_user::text as name, rolsuper as superuser, rolbypassrls as bypass, exists (
        select from pg_tables where schemaname = 'public' and pg_has_role(current_user, tableowner, 'usage')) as owner
      from pg_roles where rolname = current_user`;
  } catch (error) {
    if ((error as { code?: string }).code === '22023') {
      throw new StartupError('The database is not migrated: run npm run migrate.');
    }
    throw new StartupError(`DATABASE_URL does not work: ${whyOf(error)}`);
  }
  const [role] = roles;
  if (!role || role.superuser || role.bypass || role.owner) {
    throw new StartupError(
      `The application may not run as ${role?.name}, which is not bound by row-level security: ` +
        'let DATABASE_URL sign in as a member of loyalty_app, and DATABASE_OWNER_URL as the owner.',
    );
  }
  if (!role.isBounded) {
    throw new StartupError(
      `A pooler drops what connections begin with: set statement_timeout and its like for the role ${role.name} (docs/operations.md).`,
    );
  }
  const { migrations } = await readiness({ sql } as Database);
  if (migrations !== 'current') throw new StartupError('The database is not migrated: run npm run migrate.');
  const session = openSession({ max: 1, fetch_types: false });
  try {
    await session`select`;
  } catch (error) {
    throw new StartupError(`The database's direct address (DATABASE_DIRECT_URL) does not work: ${whyOf(error)}`);
  } finally {
    await session.end({ timeout: 1 });
  }
}

/**
 * Says in production that the applications of other deployments in the same PostgreSQL can sign in here: they have the role
 * `loyalty_app`, too, and a new database is open to everybody. No reason not to start, for others made it so.
 */
export async function warnOfNeighbours(
  { db, environment }: Pick<Services, 'db' | 'environment'>,
  log: Logger,
): Promise<void> {
  if (environment !== 'live') return;
  const [open] = await db.sql`
    select quote_ident(d.datname) as database, quote_ident(session_user) as login from pg_database d
    where d.datname = current_database() and has_database_privilege('public', d.oid, 'connect') and exists (
      select from pg_shdepend s
      where s.refclassid = 'pg_authid'::regclass and s.refobjid = ${appRole}::text::regrole and s.dbid not in (0, d.oid))`;
  if (!open) return;
  const { database, login } = open;
  log.warn(
    'the applications of other deployments in this PostgreSQL can read and change all data of this one: let its owner ' +
      `revoke connect on database ${database} from public; grant connect on database ${database} to ${login}`,
  );
}

const whyOf = (error: unknown) => (error instanceof Error ? error.message || (error as { code?: string }).code : error);
