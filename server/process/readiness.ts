import { sql } from 'drizzle-orm';
import {
  appRole,
  type Database,
  type DatabaseError,
  describeConnectionProblem,
  queriesOn,
  type Shortage,
  shortageOf,
  tryDisk,
} from '@/db/driver';
import { type SchemaState, schemaState } from '@/db/operations/schema-state';
import { hasWorkingKeys } from '@/db/query/functions';
import { only, type Queries } from '@/db/query/queries';
import { thisCell } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import type { Services } from '../domain/kernel/context';
import { secretIdsOf } from '../domain/kernel/secrets';
import type { Logger } from '../observe/log';

export interface Readiness {
  ready: boolean;
  /** A shortage: it answers, but transactions fail. */
  database: 'ok' | 'away' | Shortage;
  migrations: SchemaState | 'unknown';
}

const pendingChecks = new WeakMap<Database['pool'], Promise<Readiness>>();

type Probed = Pick<Database, 'pool' | 'reserve' | 'lacks'>;

/**
 * Returns whether this process can work now: the database answers, writes, and has a schema that this code can work with.
 * Concurrent callers share one query.
 */
export function readiness(db: Probed): Promise<Readiness> {
  let state = pendingChecks.get(db.pool);
  if (!state) {
    state = checkReadiness(db).finally(() => pendingChecks.delete(db.pool));
    pendingChecks.set(db.pool, state);
  }
  return state;
}

async function checkReadiness(db: Probed): Promise<Readiness> {
  const { database: found, migrations } = await readState(db.pool);
  const database = found === 'ok' ? await checkShortage(db) : found;
  const isFit = migrations === 'current' || migrations === 'newer';
  return { ready: isFit && database === 'ok', database, migrations };
}

/** Anybody may ask whether the service is ready, so that the disk is tried this seldom. */
const msBetweenTries = 1_000;

/** Transactions that failed said what they lacked: tries whether it is there again. */
async function checkShortage(db: Probed): Promise<Readiness['database']> {
  const { lacks } = db;
  if (lacks.last === null) return 'ok';
  if (performance.now() - lacks.triedAt < msBetweenTries) return lacks.last;
  lacks.triedAt = performance.now();
  try {
    await tryDisk(db);
  } catch (error) {
    // Over `temp_file_limit` (53400): this server does not let us find out. The next transaction says if it still lacks.
    if ((error as DatabaseError).code !== '53400') return shortageOf(error) ?? 'away';
  }
  lacks.last = null;
  return 'ok';
}

async function readState(pool: Queries): Promise<Omit<Readiness, 'ready'>> {
  try {
    const isReadOnly = sql<boolean>`current_setting('transaction_read_only')::boolean`;
    const [migrations, [access]] = await Promise.all([
      schemaState(pool),
      pool.select({ isReadOnly }).from(sql`(select) one`),
    ]);
    return { database: access?.isReadOnly ? 'read_only' : 'ok', migrations };
  } catch (error) {
    // 3F000, 42P01, 42501, 42703: the database exists, but has no schema of ours.
    const isEmpty = ['3F000', '42P01', '42501', '42703'].includes(String((error as { code?: string }).code));
    return { database: isEmpty ? 'ok' : 'away', migrations: isEmpty ? 'behind' : 'unknown' };
  }
}

/** Errors: `StartupError` if this release can't work with the database's schema. */
export async function ensureMigrated(pool: Queries): Promise<void> {
  const { database, migrations } = await readState(pool);
  if (database === 'away') throw new StartupError('The database does not answer.');
  if (migrations === 'behind') throw new StartupError(notMigrated);
  if (migrations === 'incompatible') {
    throw new StartupError(
      'The database has the schema of a later release, on which this one cannot run. Run that release.',
    );
  }
}

/**
 * Errors: `StartupError` if merchants have working API keys of the other environment: a sandbox's inbox, clock and
 * demo data have no place beside real customers.
 */
export async function ensureEnvironment(db: Queries, environment: Services['environment']): Promise<void> {
  const other = environment === 'live' ? 'sandbox' : 'live';
  const { $rows, found } = hasWorkingKeys({ kind: other });
  if (!only(await db.select({ found }).from($rows)).found) return;
  const [given, right, place] =
    environment === 'live'
      ? ['production', 'sandbox', "production's"]
      : ['sandbox', 'production', 'a copy of production for tests'];
  throw new StartupError(
    `APP_ENV is ${given}, but this database has working ${other} API keys. If it is the ${right} database, set APP_ENV=${right}. ` +
      `If it is ${place}, end those keys as its owner: update api_keys set revoked_at = now() where environment = '${other}' and revoked_at is null.`,
  );
}

const notMigrated = 'The database is not migrated: run the command migrate of this release.';

/**
 * Errors: `StartupError` if the database is down, not migrated, of the other environment, or does not restrict the
 * application's role.
 */
export async function checkDatabase({ db, environment }: Pick<Services, 'db' | 'environment'>): Promise<void> {
  const { pool, openSession } = db;
  let roles: Awaited<ReturnType<typeof readCurrentRole>>;
  try {
    roles = await readCurrentRole(pool);
  } catch (error) {
    if ((error as { code?: string }).code === '22023') {
      throw new StartupError(notMigrated);
    }
    throw new StartupError(`DATABASE_URL does not work: ${describeConnectionProblem(error)}`);
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
  await ensureMigrated(pool);
  await ensureEnvironment(pool, environment);
  const session = openSession({ max: 1, fetch_types: false });
  try {
    await queriesOn(session).run(sql`select`);
  } catch (error) {
    throw new StartupError(
      `The database's direct address (DATABASE_DIRECT_URL) does not work: ${describeConnectionProblem(error)}`,
    );
  } finally {
    await session.end({ timeout: 1 });
  }
}

const readCurrentRole = (pool: Database['pool']) =>
  pool
    .select({
      isBounded: sql<boolean>`current_setting('statement_timeout') <> '0'`,
      name: sql<string>`current_user::text`,
      superuser: sql<boolean>`rolsuper`,
      bypass: sql<boolean>`rolbypassrls`,
      owner: sql<boolean>`exists (
        select from pg_tables where schemaname = 'public' and pg_has_role(current_user, tableowner, 'usage'))`,
    })
    .from(sql`pg_roles`)
    .where(sql`rolname = current_user`);

/** Records in the database which cell it is of, and by which secrets it is read: a move of a merchant compares both. */
export async function recordCell({ db: { pool }, cell, ...keys }: Services): Promise<void> {
  if (!cell) return;
  const row = { name: cell.name, secretIds: secretIdsOf(keys) };
  const [known] = await pool.select().from(thisCell);
  if (known && known.name === row.name && known.secretIds.join() === row.secretIds.join()) return;
  await pool.insert(thisCell).values(row).onConflictDoUpdate({ target: thisCell.isOnly, set: row });
}

/**
 * Warns in production that applications of other deployments in the same PostgreSQL can sign in to this database: they
 * have the role `loyalty_app`, too, and a new database is open to everyone. It does not stop the start, because the
 * other deployments caused it.
 */
export async function warnOfNeighbours(
  { db, environment }: Pick<Services, 'db' | 'environment'>,
  log: Logger,
): Promise<void> {
  if (environment !== 'live') return;
  const [open] = await db.pool
    .select({ database: sql<string>`quote_ident(d.datname)`, login: sql<string>`quote_ident(session_user)` })
    .from(sql`pg_database d`)
    .where(sql`
      d.datname = current_database() and has_database_privilege('public', d.oid, 'connect') and exists (
        select from pg_shdepend s
        where s.refclassid = 'pg_authid'::regclass and s.refobjid = ${appRole}::text::regrole and s.dbid not in (0, d.oid))`);
  if (!open) return;
  const { database, login } = open;
  log.warn(
    'the applications of other deployments in this PostgreSQL can read and change all data of this one: let its owner ' +
      `revoke connect on database ${database} from public; grant connect on database ${database} to ${login}`,
  );
}
