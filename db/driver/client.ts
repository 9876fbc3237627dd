/** The service's connections to PostgreSQL: the pool, those of hot-path reads, and the replica's. */
import postgres from 'postgres';
import { inSpan } from '@/server/observe/spans';
import { Queries } from '../query/queries';
import { StartupError } from '../startup-error';
import { connectionName } from './connection-name';
import type { Shortage } from './errors';
import { addressesOf } from './primary';
import type { Sendable } from './transaction';

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
  /** Takes a connection from the pool for one database transaction. Only `withMerchant` and its like call it. */
  reserve(): Promise<Connection>;
  /** Opens a dedicated connection that bypasses any pooler: for work that outlasts one database transaction. */
  openSession(options: object): postgres.Sql;
  close(): Promise<void>;
  /** The stores whose rows are visible to its statements; undefined for all stores. See `limitToStores`. */
  stores?: readonly string[];
  /** How many database transactions are running now, and how many wait for a connection of the pool. */
  usage: { running: number; waiting: number };
  /** The shortage (disk, connections) that last failed a transaction. `readiness`, which last tried at `triedAt`, clears it. */
  lacks: { last: Shortage | null; triedAt: number };
  /** When the caller stops waiting, on `performance.now()`'s clock. Nothing is committed after it. */
  deadline?: number;
  /** How long a statement of a transaction waits for a lock; if undefined, as long as a statement may take. */
  lockTimeoutMs?: number;
  /** A streaming replica. `openReading` reads from it. */
  replica?: Replica | undefined;
  /** True if its transactions only read. A transaction that loses its connection then runs again. */
  isReadOnly?: true;
}

export interface Replica {
  reserve(): Promise<Connection>;
  /** Why this process does not use it now; null while it is used. */
  problem: string | null;
  /** It did not answer, so it is not tried before this time, on `performance.now()`'s clock. */
  tryAgainAt: number;
  /** Called when `problem` changes. */
  onChange(problem: string | null): void;
}

export type Sent = postgres.PendingQuery<postgres.Row[]>;
export type Connection = Pick<postgres.ReservedSql, 'unsafe' | 'release'>;
interface ClientOptions {
  /** The address of the database itself, if `url` is a pooler's. */
  directUrl?: string | undefined;
  /** Maximum number of connections, a fifth of them for `reads`. About five per core of the database. */
  max?: number;
  /** The address of a streaming replica, and a callback that is told whether the replica is used. */
  replica?: { url: string; onChange: Replica['onChange'] } | undefined;
  /** The role to switch to after connecting, where `url` signs in as the owner of the tables. */
  role?: string;
  /** Maximum duration of one statement. */
  statementTimeoutMs?: number;
}

/** The role that the application runs as (see the migrations). */
export const appRole = 'loyalty_app';

/** Errors: `StartupError` if the driver lacks our patch, which `npm ci --ignore-scripts` does not apply. */
export function checkDriver(): void {
  if ('patched' in postgres) return;
  throw new StartupError(
    'The database driver is not patched, and would lose or mix up answers when connections fail: run npm ci without --ignore-scripts (patches/README.md).',
  );
}

/** Max duration of a statement on a replica: no till waits behind it. */
const replicaTimeoutMs = 10_000;
const maxReplicaConnections = 5;

export function connectDatabase(url: string, options: ClientOptions = {}): Database {
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
    problem: null,
    tryAgainAt: 0,
    onChange: replica.onChange,
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

export const sendStatement = (
  connection: Pick<Connection, 'unsafe'>,
  { sql, params }: ReturnType<Sendable['toSQL']>,
): Sent => connection.unsafe(sql, params as never[], prepared);

/** The typed queries of a postgres.js connection or pool. */
export const queriesOn = (connection: Pick<Connection, 'unsafe'>) =>
  new Queries((statement) => sendStatement(connection, statement).values());

export const spanOfDatabase = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** The queries of a pool, each of which is a database transaction of its own. */
const statementsOn = (pool: Pick<Connection, 'unsafe'>) =>
  new Queries((statement) => inSpan('statement', () => sendStatement(pool, statement).values(), spanOfDatabase));

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 of the database does not fit a JavaScript integer');
  return value;
}
