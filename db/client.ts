/**
 * The PostgreSQL client. Every query of a tenant goes through `withMerchant`, or starts from `set_tenant()` when it is
 * a single statement that reads. Both set the tenant inside the database transaction, so that it cannot leak through a pooler.
 */
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import {
  type DatabaseError,
  DeadlinePassed,
  isAborted,
  isConnectionLost,
  isRetryable,
  type Shortage,
  shortageOf,
} from './errors';
import { connectionName } from './instances';
import { isWritten } from './is-written';
import { ofMerchant, openLanes } from './lanes';
import { addressesOf } from './primary';
import { Queries } from './queries';
import { currentSpan, inSpan } from './spans';
import { StartupError } from './startup-error';
import type { Sendable, Transaction, Tx } from './transaction';

export type { Tx } from './transaction';

export interface Database {
  /** The most connections of `pool`. */
  size: number;
  /** The pool: for single statements that set their own tenant or read tables without a tenant. */
  pool: Queries;
  /**
   * A few separate connections for hot-path statements that read by key and never wait for locks. Statements are
   * pipelined there: each is sent without waiting for the result of the one before.
   */
  reads: Queries;
  /** Takes a connection from the pool for one database transaction. `withMerchant` takes and releases it. */
  reserve(): Promise<Connection>;
  /** Opens a dedicated connection that bypasses any pooler: for work that outlasts one database transaction. */
  openSession(options: object): postgres.Sql;
  close(): Promise<void>;
  /** The stores whose rows its statements see; all, if undefined. See `limitToStores`. */
  stores?: readonly string[];
  /** Database transactions at this moment: running, and waiting for a connection of the pool. */
  usage: { running: number; waiting: number };
  /** The shortage (disk, connections) that last failed a transaction. `readiness`, which last tried at `triedAt`, clears it. */
  lacks: { last: Shortage | null; triedAt: number };
  /** When the caller stops waiting, on `performance.now()`'s clock. Nothing is committed after it. */
  deadline?: number;
  /** How long a statement of a transaction waits for a lock; if undefined, as long as a statement may take. */
  lockTimeoutMs?: number;
  /** A streaming replica. `openReading` reads from it. */
  replica?: Replica | undefined;
  /** True where transactions only read. One whose connection is lost runs again. */
  isReadOnly?: true;
}

export interface Replica {
  reserve(): Promise<Connection>;
  /** Why it is not used, as far as this process knows; null while it is used. */
  problem: string | null;
  /** Not tried before then, on `performance.now()`'s clock, because it did not answer. */
  tryAgainAt: number;
  /** Called when `problem` changes. */
  onChange(problem: string | null): void;
}

type Sent = postgres.PendingQuery<postgres.Row[]>;
export type Connection = Pick<postgres.ReservedSql, 'unsafe' | 'release'>;
/** A connection as the owner of the tables, which sees the rows of all merchants. */
export type Owner = Pick<postgres.Sql, 'begin' | 'unsafe'>;

interface ClientOptions {
  /** The address of the database itself, if `url` is a pooler's. */
  directUrl?: string | undefined;
  /** Maximum number of connections, a fifth of them for `reads`. About five per core of the database. */
  max?: number;
  /** The address of a streaming replica, and who is told whether it is used. */
  replica?: { url: string; onChange: Replica['onChange'] } | undefined;
  /** The role to switch to after connecting, where `url` signs in as the owner of the tables. */
  role?: string;
  /** Maximum duration of one statement. */
  statementTimeoutMs?: number;
}

/** The role that the application runs as (see the migrations). */
export const appRole = 'loyalty_app';

/** Errors: `StartupError` where the driver lacks our patch, which `npm ci --ignore-scripts` does not apply. */
export function checkDriver(): void {
  if ('patched' in postgres) return;
  throw new StartupError(
    'The database driver is not patched, and would lose or mix up answers when connections fail: run npm ci without --ignore-scripts (patches/README.md).',
  );
}

/** Max duration of a statement on a replica: no till waits behind it. */
const replicaTimeoutMs = 10_000;
const maxReplicaConnections = 5;

export function connect(url: string, options: ClientOptions = {}): Database {
  checkDriver();
  const { directUrl = url, max = 10, replica, role, statementTimeoutMs = 3_500 } = options;
  const settings = {
    connect_timeout: 3,
    // Longer than the statement timeout: a server that is silent for so long is gone, even if TCP has not noticed.
    answer_timeout: statementTimeoutMs / 1000 + 0.5,
    backoff: (retries: number) => Math.min(0.05 * 2 ** Math.min(retries, 10), 0.5),
    max_lifetime: 60 * 60,
    onnotice: () => {},
    connection: {
      application_name: connectionName('loyalty'),
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 10_000,
      // Every statement is a look-up by key: planning it for each request would cost more than running it.
      plan_cache_mode: 'force_generic_plan',
      ...(role ? { role } : {}),
    },
    types: {
      // CHECKs bound amounts far below 2^53. A larger count is an error, not a rounded number.
      bigint: { to: 20, from: [20], serialize: String, parse: safeInteger },
    },
  };
  // With several hosts, each new connection skips all but the primary.
  const among = (address: string) =>
    addressesOf(address).length > 1 ? { target_session_attrs: 'primary' as const } : {};
  const standby = replica && {
    ...{ problem: null, tryAgainAt: 0, onChange: replica.onChange },
    sql: postgres(replica.url, {
      ...settings,
      ...(addressesOf(replica.url).length > 1 ? { target_session_attrs: 'standby' as const } : {}),
      answer_timeout: replicaTimeoutMs / 1000 + 0.5,
      connection: {
        ...settings.connection,
        statement_timeout: replicaTimeoutMs,
        default_transaction_read_only: true,
      },
      max: maxReplicaConnections,
    }),
  };
  const forReads = max === 1 ? 0 : Math.ceil(max / 5);
  const sql = postgres(url, { ...settings, ...among(url), max: max - forReads });
  const reads = forReads === 0 ? sql : postgres(url, { ...settings, ...among(url), max: forReads });
  return {
    size: max - forReads,
    pool: statementsOn(sql),
    reads: statementsOn(reads),
    reserve: () => sql.reserve(),
    replica: standby && { ...standby, reserve: () => standby.sql.reserve() },
    openSession: (more) => postgres(directUrl, { ...settings, ...among(directUrl), ...more }),
    usage: { running: 0, waiting: 0 },
    lacks: { last: null, triedAt: Number.NEGATIVE_INFINITY },
    close: async () => {
      await Promise.all([sql, reads, standby?.sql].map((pool) => pool?.end({ timeout: 5 })));
    },
  };
}

const prepared = { prepare: true, simple: false };

const sendStatement = (connection: Pick<Connection, 'unsafe'>, { sql, params }: ReturnType<Sendable['toSQL']>): Sent =>
  connection.unsafe(sql, params as never[], prepared);

/** The typed queries of a postgres.js connection or pool. */
export const queriesOn = (connection: Pick<Connection, 'unsafe'>) =>
  new Queries((statement) => sendStatement(connection, statement).values());

const spanOfDatabase = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** The queries of a pool, each of which is a database transaction of its own. */
const statementsOn = (pool: Pick<Connection, 'unsafe'>) =>
  new Queries((statement) => inSpan('statement', () => sendStatement(pool, statement).values(), spanOfDatabase));

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 of the database does not fit a JavaScript integer');
  return value;
}

/** Errors: `DeadlinePassed` where too little time is left to commit before the caller stops waiting. */
function ensureTime({ deadline }: Database): void {
  if (deadline !== undefined && performance.now() > deadline) throw new DeadlinePassed('no time is left to commit');
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const maxTries = 4;

/**
 * Runs `work` in one database transaction that sees only the rows of `merchantId`. After a deadlock or serialisation
 * failure it runs again, so `work` must keep no state outside its transaction. Errors: `isBeingMoved` for a merchant that
 * is not at home in this cell, or about to leave it.
 */
export async function withMerchant<T>(db: Database, merchantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withSettings(db, enterMerchant(merchantId), (tx) => work(ofMerchant(merchantId, tx)));
}

/**
 * As `withMerchant`, for reading: `work` sees the rows of one moment and can't write. It also works while the merchant's
 * writes are stopped.
 */
export async function withSnapshot<T>(db: Database, merchantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ofOneMoment = 'set transaction isolation level repeatable read, read only';
  const tenant = `set local app.merchant_id = '${uuidOf('the id of a merchant', merchantId)}'`;
  return withSettings(db, `${ofOneMoment}; ${tenant}`, (tx) => work(ofMerchant(merchantId, tx)));
}

/** Names the tenant of the running database transaction. Fails where nothing may be written for the merchant. */
const enterMerchant = (merchantId: string): string =>
  `call enter_merchant('${uuidOf('the id of a merchant', merchantId)}')`;

/**
 * The same for several merchants: `work` gets a `Tx` of each, in their order. A statement sees only the rows of the
 * merchant whose `Tx` sends it. They are committed together, or none is.
 */
export async function withMerchants<T>(
  db: Database,
  merchantIds: string[],
  work: (txs: Tx[]) => Promise<T>,
): Promise<T> {
  const [first] = merchantIds;
  if (first !== undefined && merchantIds.length === 1) return withMerchant(db, first, (tx) => work([tx]));
  return withSettings(db, merchantIds.map(enterMerchant).join('; '), async (tx, command) => {
    const lanes = openLanes(merchantIds, { ...tx, name: (id) => command(`set local app.merchant_id = '${id}'`) });
    try {
      const result = await work(lanes.txs);
      lanes.flush();
      return result;
    } finally {
      lanes.close();
    }
  });
}

/** As `withMerchant`, for the rows that are a person's own, whichever merchants they work for. */
export const withPerson = async <T>(db: Database, userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  withSettings(db, `set local app.user_id = '${uuidOf('the id of a person', userId)}'`, work);

/** Names a person in a database transaction of a merchant: it then sees and changes that person's rows, too. */
export const namePerson = (db: Queries, userId: string) =>
  db.run(sql`select set_config('app.user_id', ${userId}, true)`);

function uuidOf(what: string, id: string): string {
  if (!uuidPattern.test(id)) throw new TypeError(`${what} is not a UUID`);
  return id;
}

async function withSettings<T>(db: Database, settings: string, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact(db, [...lockSetting(db), settings, ...storesSetting(db)].join('; '), work);
    } catch (error) {
      const isWorthTrying = isRetryable(error) || (db.isReadOnly && isConnectionLost(error));
      if (tries === maxTries || !isWorthTrying) throw error;
    }
  }
}

const lockSetting = ({ lockTimeoutMs }: Database): string[] =>
  lockTimeoutMs === undefined ? [] : [`set local lock_timeout = ${lockTimeoutMs}`];

/** What the policies of stores read; nothing without a limit. */
function storesSetting({ stores }: Pick<Database, 'stores'>): string[] {
  if (!stores) return [];
  if (!stores.every((id) => uuidPattern.test(id))) throw new TypeError('the id of a store is not a UUID');
  return [`set local app.stores = '{${stores.join()}}'`];
}

/**
 * Returns the database as staff of these stores see it: row-level security hides the rows of other stores, also from
 * single statements, each of which then has a database transaction of its own.
 */
export function limitToStores(db: Database, stores: readonly string[]): Database {
  const limited = new Queries((statement) =>
    transact(db, storesSetting({ stores }).join(), async (tx) => await tx.db.send(statement)),
  );
  return { ...db, stores, pool: limited, reads: limited };
}

/**
 * Shows the statements that follow in the transaction the rows of all stores, for what is the merchant's as a whole. Call
 * it once the rows that the caller named have been found.
 */
export const showAllStores = ({ db, send }: Tx): void => send(db.run(sql`set local app.stores = ''`));

/** `command` sends a statement without parameters that is not prepared. */
type Work<T> = (tx: Transaction, command: (text: string) => void) => Promise<T>;

const transact = <T>(db: Database, setting: string, work: Work<T>): Promise<T> =>
  inSpan('transaction', () => attempt(db, setting, work), spanOfDatabase);

async function attempt<T>(db: Database, setting: string, work: Work<T>): Promise<T> {
  ensureTime(db);
  const connection = await reserve(db);
  currentSpan()?.addEvent('connected');
  const queries = queriesOn(connection);
  const sent: Sent[] = [];
  const execute = (statement: Sent) => {
    sent.push(statement.execute());
    statement.catch(() => {});
  };
  const send: Transaction['send'] = (...statements) => {
    for (const statement of statements) if (statement) execute(sendStatement(connection, statement.toSQL()));
  };
  let isOpen = true;
  try {
    // One message, sent together with the first statements of `work`.
    const begin: Sent = connection.unsafe(`begin${db.isReadOnly ? ' read only' : ''}; ${setting}`);
    execute(begin);
    // The message may have been delayed on the network. The server's remaining time is known once it responds.
    const begunBy = begin.then(() => performance.now());
    begunBy.catch(() => {});
    ensureTime(db);
    const result = await work({ db: queries, send }, (text) => execute(connection.unsafe(text)));
    // A statement that the driver cannot send does not abort the transaction, so the commit waits for all results.
    if (!sent.every(isWritten)) await Promise.all(sent);
    const msLeft = db.deadline === undefined ? null : db.deadline - (await begunBy);
    ensureTime(db);
    const inTime = msLeft === null ? null : abortAfter(connection, msLeft);
    const commit = sendStatement(connection, { sql: 'commit', params: [] });
    await Promise.all([...sent, inTime, commit]);
    isOpen = false;
    const { command } = await commit;
    // PostgreSQL responds to the commit of an aborted transaction with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('the database transaction was rolled back');
    return result;
  } catch (error) {
    // Every statement after a failed one fails with this code. The first error is the cause.
    db.lacks.last = shortageOf(error) ?? db.lacks.last;
    if (isAborted(error)) await Promise.all(sent);
    throw error;
  } finally {
    if (isOpen) await connection.unsafe('rollback').catch(() => {});
    connection.release();
    db.usage.running -= 1;
  }
}

/**
 * Writes a megabyte to the disk of the database and leaves nothing behind: rows beyond `work_mem` go to a temporary file.
 * Errors: those of a database that can't write.
 */
export async function tryDisk({ reserve }: Pick<Database, 'reserve'>): Promise<void> {
  const connection = await reserve();
  try {
    await connection.unsafe("begin; set local work_mem = '64kB'; select count(*) from generate_series(1, 60000)");
  } finally {
    await connection.unsafe('rollback').catch(() => {});
    connection.release();
  }
}

async function reserve({ reserve, usage }: Database): Promise<Connection> {
  usage.waiting += 1;
  const connection = await reserve().finally(() => {
    usage.waiting -= 1;
  });
  usage.running += 1;
  return connection;
}

/** Aborts a database transaction that began more than `ms` ago: its statements may have waited for locks. */
function abortAfter(connection: Connection, ms: number): Promise<unknown> {
  return connection
    .unsafe(`select 1 / (clock_timestamp() < now() + interval '${Math.floor(ms)} ms')::int`)
    .catch((error: DatabaseError) => {
      throw error.code === '22012' ? new DeadlinePassed('no time was left to commit') : error;
    });
}
