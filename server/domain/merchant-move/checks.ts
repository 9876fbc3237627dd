import { getTableName, type SQL, sql } from 'drizzle-orm';
import { connectionName } from '@/db/driver';
import { problemsOfPublisher } from '@/db/operations/replication';
import { only, type Queries } from '@/db/query/queries';
import { thisCell } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import type { Move, Side } from './sides';
import { isOf, publishedTables } from './tables';

/**
 * Checks what a move relies on, before anything is written: both cells and their secrets, the same schema, instances
 * that support moves, and the rights of the roles. Errors: `StartupError` with a line for each problem.
 */
export async function checkMove(move: Move): Promise<void> {
  const { source, target, mover } = move;
  const problems = [
    ...(await cellProblems(move)),
    ...(await schemaProblems(move)),
    ...(await instanceProblems(source)),
    ...(await instanceProblems(target)),
    ...(await ownerProblems(source)),
    ...(await ownerProblems(target)),
    ...(await moverProblems(source, mover)),
    ...(await problemsOfPublisher(
      source.db,
      publishedTables.map(({ table }) => getTableName(table)),
    )),
    ...(await subscriberProblems(target)),
  ];
  if (problems.length > 0)
    throw new StartupError(`Not moved:\n${problems.map((problem) => `- ${problem}.`).join('\n')}`);
}

/** Errors: `StartupError` if the target has rows of the merchant that no move has brought. */
export async function ensureNothingThere({ merchantId, target }: Move): Promise<void> {
  const found = publishedTables.map(
    (one) =>
      sql`select ${getTableName(one.table)}::text as name where exists (select from ${one.table} where ${isOf(one, merchantId)})`,
  );
  const [first] = await target.db
    .select({ name: sql<string>`t.name` })
    .from(sql`(${sql.join(found, sql` union all `)}) t`)
    .limit(1);
  if (first) throw new StartupError(`Not moved: ${target.cell} has rows of the merchant already, in ${first.name}.`);
}

async function cellProblems({ source, target }: Move): Promise<string[]> {
  const [here, there] = await Promise.all([source, target].map(({ db }) => db.select().from(thisCell)));
  const [from] = here ?? [];
  const [to] = there ?? [];
  if (!from?.name || !to) return ['in both cells the service has to have started once, with CELL in its settings'];
  return [
    ...(to.name === target.cell ? [] : [`the target’s database is that of the cell ${to.name || 'without a name'}`]),
    ...(from.name === target.cell ? [`the merchant is in ${from.name} already`] : []),
    ...(from.secretIds.every((id) => to.secretIds.includes(id))
      ? []
      : [`${to.name} has another DATA_SECRET: what is encrypted here could not be read there`]),
  ];
}

async function schemaProblems({ source, target }: Move): Promise<string[]> {
  const read = ({ db }: Side) =>
    db.select({ all: sql<string>`string_agg(hash, ' ' order by created_at)` }).from(sql`drizzle.__drizzle_migrations`);
  const [[here], [there]] = await Promise.all([read(source), read(target)]);
  return here?.all === there?.all ? [] : ['the cells have different schemas: bring both to the same release'];
}

/** Instances of an earlier release do not know about stops. */
async function instanceProblems({ db, cell }: Side): Promise<string[]> {
  const own = connectionName('loyalty').slice(-4);
  const old = await db
    .selectDistinct({ name: sql<string>`application_name` })
    .from(sql`pg_stat_activity`)
    .where(sql`
      datname = current_database() and application_name ~ '^loyalty(-worker)?( \\d{4})?$'
      and coalesce(substring(application_name from '\\d{4}$'), '') < ${own}`);
  return old.map(({ name }) => `an instance of an earlier release runs in ${cell} (${name})`);
}

const ask = async (db: Queries, condition: SQL): Promise<boolean> =>
  only(await db.select({ is: sql<boolean>`${condition}` }).from(sql`(select) one`)).is;

async function ownerProblems({ db, cell }: Side): Promise<string[]> {
  const may = await ask(db, sql`has_parameter_privilege(current_user, 'session_replication_role', 'set')`);
  return may ? [] : [`the owner of ${cell} may not set session_replication_role (deploy/roles-cells.sql grants it)`];
}

async function moverProblems(source: Side, mover: Queries): Promise<string[]> {
  const place = sql<string>`concat(current_database(), pg_postmaster_start_time())`;
  const [here, there] = await Promise.all([source.db, mover].map((db) => db.select({ place }).from(sql`(select) one`)));
  const may = await ask(
    mover,
    sql`(select rolreplication and (rolbypassrls or rolsuper) from pg_roles where rolname = current_user)`,
  );
  return [
    ...(here?.[0]?.place === there?.[0]?.place ? [] : ['MOVER_URL is not the address of the merchant’s database']),
    ...(may ? [] : ['MOVER_URL signs in without REPLICATION and BYPASSRLS (deploy/roles-cells.sql creates the role)']),
  ];
}

async function subscriberProblems({ db, cell }: Side): Promise<string[]> {
  const may = await ask(
    db,
    sql`pg_has_role(current_user, 'pg_create_subscription', 'usage')
      and has_database_privilege(current_database(), 'create')`,
  );
  return may
    ? []
    : [`the owner of ${cell} may create no subscription (deploy/roles-cells.sql grants pg_create_subscription)`];
}
