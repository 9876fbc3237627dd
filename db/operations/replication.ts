/** PostgreSQL's logical replication between two databases, for some tables and one value of a column in each. */
import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { nameOf } from '../query/expressions';
import { only, type Queries } from '../query/queries';
import { StartupError } from '../startup-error';

/** A table, and which of its rows are copied. */
export interface Published {
  table: PgTable;
  column: PgColumn;
}

/** What the database lacks to publish `names` (its tables), as sentences. */
export async function problemsOfPublisher(db: Queries, names: string[]): Promise<string[]> {
  const settings = only(
    await db.select({ walLevel: sql<string>`current_setting('wal_level')` }).from(sql`(select) one`),
  );
  // If a published table's replica identity lacks the filter's column, every update of it fails.
  const unfit = await db
    .select({ name: sql<string>`c.relname` })
    .from(sql`pg_class c`)
    .where(sql`
      c.relnamespace = 'public'::regnamespace and c.relname in ${names} and c.relreplident <> 'f' and not (
        c.relreplident = 'd' and exists (
          select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary and a.attname = any ('{merchant_id,id}')))`);
  return [
    ...(settings.walLevel === 'logical'
      ? []
      : [`wal_level is ${settings.walLevel}: set it to logical, and restart it`]),
    ...unfit.map(({ name }) => `${name} has no replica identity with its merchant`),
  ];
}

/**
 * Publishes the rows, unless they already are. `value` is a checked UUID. TRUNCATE is not published, because no filter
 * applies to it. Errors: `StartupError` if a publication of that name has other rows.
 */
export async function publishTables(db: Queries, name: string, tables: Published[], value: string): Promise<void> {
  if (await exists(db, sql`pg_publication where pubname = ${name}`)) return ensureOnlyThese(db, name, tables, value);
  const filtered = tables.map(
    ({ table, column }) => sql`${table} where (${nameOf(column)} = ${sql.raw(`'${value}'`)})`,
  );
  await db.run(sql`create publication ${sql.identifier(name)} for table ${sql.join(filtered, sql`, `)}
    with (publish = 'insert, update, delete')`);
}

async function ensureOnlyThese(db: Queries, name: string, tables: Published[], value: string): Promise<void> {
  const published = await db
    .select({ one: sql<string>`concat(schemaname, '.', tablename, ' ', rowfilter)` })
    .from(sql`pg_publication_tables where pubname = ${name}`);
  const expected = tables.map(
    ({ table, column }) => `public.${getTableName(table)} (${column.name} = '${value}'::uuid)`,
  );
  if (published.length === expected.length && published.every(({ one }) => expected.includes(one))) return;
  throw new StartupError(
    `The publication ${name} has other rows than this release would publish: undo the move first (--undo), or drop it.`,
  );
}

export const unpublishTables = (db: Queries, name: string): PromiseLike<unknown> =>
  db.run(sql`drop publication if exists ${sql.identifier(name)}`);

/**
 * Copies what `name` publishes at `address`, and follows its changes. With PostgreSQL 17, the slot of the same name
 * survives a fail-over of the publisher. `publisher` signs in with REPLICATION. A slot left by a killed command is
 * dropped first.
 */
export async function subscribeTo(db: Queries, publisher: Queries, name: string, address: string): Promise<void> {
  if (await exists(db, sql`pg_subscription where subname = ${name} and subdbid = ${thisDatabase}`)) return;
  await dropSlots(publisher, escaped(name));
  const both = await Promise.all([db, publisher].map(versionOf));
  const failover = both.every((version) => version >= 170_000) ? sql`, failover = true` : sql``;
  await db.run(sql`create subscription ${sql.identifier(name)} connection ${literalOf(address)}
    publication ${sql.identifier(name)} with (slot_name = ${literalOf(name)}${failover})`);
}

/** Ends a subscription and drops its slots at the publisher. Does nothing if there is no subscription. */
export async function unsubscribeFrom(db: Queries, publisher: Queries, name: string): Promise<void> {
  const subscription = sql.identifier(name);
  if (await exists(db, sql`pg_subscription where subname = ${name} and subdbid = ${thisDatabase}`)) {
    await db.run(sql`alter subscription ${subscription} disable`);
    if (!(await exists(publisher, sql`pg_replication_slots where slot_name = ${name}`)))
      await db.run(sql`alter subscription ${subscription} set (slot_name = none)`);
    await db.run(sql`drop subscription ${subscription}`);
  }
  await dropSlots(publisher, escaped(name));
  await dropForgottenSlots(db, publisher);
}

/**
 * Drops slots at the publisher that belong to no subscription: a crash of the subscriber can make it forget one while
 * its tables are being copied. Slots are listed before subscriptions, so that a subscription created in between loses
 * none.
 */
async function dropForgottenSlots(db: Queries, publisher: Queries): Promise<void> {
  const { id } = only(await db.select({ id: sql<string>`system_identifier::text` }).from(sql`pg_control_system()`));
  const slots = await publisher
    .select({ name: sql<string>`slot_name::text`, subscription: sql<string>`split_part(slot_name, '_', 2)` })
    .from(sql`pg_replication_slots`)
    .where(sql`slot_name like ${`pg\\_%\\_sync\\_%\\_${id}`}`);
  const known = await db.select({ oid: sql<string>`oid::text` }).from(sql`pg_subscription`);
  for (const { name, subscription } of slots)
    if (!known.some(({ oid }) => oid === subscription)) await dropSlots(publisher, escaped(name));
}

/** Drops the slots whose names match, once no process reads from them. */
async function dropSlots(publisher: Queries, pattern: string): Promise<void> {
  const matching = sql`pg_replication_slots where slot_name like ${pattern}`;
  await until(async () => !(await exists(publisher, sql`${matching} and active`)));
  await publisher.select({ dropped: sql`pg_drop_replication_slot(slot_name)` }).from(matching);
}

const escaped = (name: string) => name.replaceAll('_', '\\_');

/** Waits up to 30 seconds for PostgreSQL's own processes. Errors: if they have not finished by then. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 30_000; !(await isSo()); ) {
    if (performance.now() > deadline) throw new StartupError('A process of the replication does not end: try again.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The progress of a subscription. */
export interface CopyProgress {
  tables: number;
  /** Tables whose rows have all arrived. */
  ready: number;
  /** Rows that have arrived of the tables being copied. */
  copying: number;
  /** How often its workers have failed. Only the database's log says why. */
  failures: number;
}

export async function copyProgress(db: Queries, name: string): Promise<CopyProgress> {
  const ofIt = sql`(select oid from pg_subscription where subname = ${name} and subdbid = ${thisDatabase})`;
  return only(
    await db
      .select({
        tables: sql<number>`(select count(*)::integer from pg_subscription_rel where srsubid = ${ofIt})`,
        ready: sql<number>`(select count(*)::integer from pg_subscription_rel where srsubid = ${ofIt} and srsubstate = 'r')`,
        copying: sql<number>`(select coalesce(sum(tuples_processed), 0)::float8 from pg_stat_progress_copy
          where datname = current_database() and command = 'COPY FROM' and type = 'CALLBACK')`,
        failures: sql<number>`(select coalesce(sum(apply_error_count + sync_error_count), 0)::integer
          from pg_stat_subscription_stats where subid = ${ofIt})`,
      })
      .from(sql`(select) one`),
  );
}

/**
 * Returns the publisher's current log position. A subscriber that has confirmed it has everything that is committed
 * now.
 */
export async function positionNow(db: Queries): Promise<string> {
  // Flushes asynchronous commits, and gives the subscriber something to confirm.
  await db.select({ sent: sql`pg_logical_emit_message(true, 'loyalty', '')` }).from(sql`(select) one`);
  return only(await db.select({ at: sql<string>`pg_current_wal_insert_lsn()::text` }).from(sql`(select) one`)).at;
}

/** How many bytes of log the subscriber has yet to confirm up to `position`; null if its slot or its log is gone. */
export async function bytesBehind(db: Queries, name: string, position: string): Promise<number | null> {
  const [slot] = await db
    .select({ bytes: sql<number>`greatest(0, ${position}::text::pg_lsn - confirmed_flush_lsn)::float8` })
    .from(sql`pg_replication_slots`)
    .where(sql`slot_name = ${name} and wal_status <> 'lost'`);
  return slot?.bytes ?? null;
}

/** A running database transaction, with the name of its connection. */
export interface Running {
  id: string;
  who: string;
}

/** Returns the running database transactions of this database's clients, except the caller's. */
export const runningTransactions = (db: Queries): PromiseLike<Running[]> =>
  db
    .select({
      id: sql<string>`l.virtualtransaction`,
      who: sql<string>`format('%s (process %s)', coalesce(nullif(a.application_name, ''), 'a connection'), a.pid)`,
    })
    .from(sql`pg_locks l join pg_stat_activity a on a.pid = l.pid`)
    .where(sql`
      l.locktype = 'virtualxid' and l.granted and l.mode = 'ExclusiveLock' and a.datname = current_database()
      and a.usename is not null and a.pid <> pg_backend_pid()`);

const thisDatabase = sql`(select oid from pg_database where datname = current_database())`;

async function exists(db: Queries, what: SQL): Promise<boolean> {
  return only(await db.select({ is: sql<boolean>`exists (select from ${what})` }).from(sql`(select) one`)).is;
}

const versionOf = async (db: Queries) =>
  only(await db.select({ number: sql<number>`current_setting('server_version_num')::integer` }).from(sql`(select) one`))
    .number;

/** Quotes a text for a statement that takes no parameters. */
const literalOf = (text: string): SQL => sql.raw(`'${text.replaceAll("'", "''")}'`);
