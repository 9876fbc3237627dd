/**
 * Reads reports and exports, which may be a little old, from a streaming replica. The primary is read instead if the
 * replica is down, too far behind, or not of this database.
 */

import { sql } from 'drizzle-orm';
import { type Connection, type Database, queriesOn, type Replica } from '../driver';
import { only } from '../query/queries';

/** A replica that is further behind is not used. */
const maxBehindMs = 60_000;
/** Max time to find out whether the replica can be used. */
const checkMs = 1_000;
/** How long a replica that did not answer is not tried again: each report would wait for it. */
const restMs = 10_000;
/** Commits are not replayed in the exact order of their times. */
const toleranceMs = 1_000;

export interface Reading {
  db: Database;
  /** How far the reads may be behind the primary; null if they come from the primary. */
  behindMs: number | null;
}

/**
 * Returns a database whose transactions only read: from the replica if it can be used now, otherwise from the primary.
 * All of them see at least what was committed `behindMs` ago, whichever replica a proxy chooses. Single statements go
 * to the primary.
 */
export async function openReading(primary: Database): Promise<Reading> {
  const { replica } = primary;
  if (!replica) return { db: primary, behindMs: null };
  const openedAt = performance.now();
  const found = await reserveChecked(primary, replica, maxBehindMs);
  setProblem(replica, 'problem' in found ? found.problem : null);
  if ('problem' in found) return { db: primary, behindMs: null };
  const { connection, behindMs } = found;
  connection.release();
  const reserve = async () => {
    const limitMs = behindMs + performance.now() - openedAt + toleranceMs;
    const again = await reserveChecked(primary, replica, limitMs);
    return 'problem' in again ? primary.reserve() : again.connection;
  };
  // A shortage of the replica says nothing about the primary.
  const lacks: Database['lacks'] = { last: null, triedAt: Number.NEGATIVE_INFINITY };
  return { behindMs, db: { ...primary, lacks, reserve, isReadOnly: true } };
}

/** Returns how far the replica is behind, and whether `openReading` would use it. Errors: if it can't be used at all. */
export async function measureReplica(
  primary: Database,
  replica: Replica,
): Promise<{ behindMs: number; isUsed: boolean }> {
  const found = await reserveChecked(primary, replica, Number.POSITIVE_INFINITY);
  if ('problem' in found) throw new Error(found.problem);
  found.connection.release();
  return { behindMs: found.behindMs, isUsed: found.behindMs <= maxBehindMs };
}

function setProblem(replica: Replica, problem: string | null): void {
  if (problem === replica.problem) return;
  replica.problem = problem;
  replica.onChange(problem);
}

type Checked = { connection: Connection; behindMs: number } | { problem: string };

/** Takes a connection to a replica that is at most `limitMs` behind, or returns why there is none. */
async function reserveChecked(primary: Database, replica: Replica, limitMs: number): Promise<Checked> {
  if (performance.now() < replica.tryAgainAt) return { problem: silent };
  const goal = await readPrimary(primary).catch(() => null);
  if (!goal) return { problem: 'the primary does not answer' };
  let isLate = false;
  const late = new Promise<Checked>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve({ problem: silent });
    }, checkMs).unref();
  });
  const inTime = async (): Promise<Checked> => {
    const connection = await replica.reserve();
    const checked = await compare(connection, goal, limitMs).catch(() => ({ problem: silent }));
    if (isLate || 'problem' in checked) connection.release();
    return checked;
  };
  const checked = await Promise.race([inTime().catch(() => ({ problem: silent })), late]);
  if ('problem' in checked && checked.problem === silent) replica.tryAgainAt = performance.now() + restMs;
  return checked;
}

const silent = 'it does not answer';

/**
 * Identifies a server's data and its reader: role, database, cluster and timeline. A server that was promoted
 * separately has another timeline.
 */
const identity = (timeline: ReturnType<typeof sql>) => sql<string>`concat_ws(' ', current_user,
  (select oid from pg_database where datname = current_database()),
  (select system_identifier from pg_control_system()), ${timeline})`;

const readPrimary = async ({ pool }: Database) =>
  only(
    await pool
      .select({
        identity: identity(sql`('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int`),
        flushed: sql<string>`pg_current_wal_flush_lsn()::text`,
        nowMs: epochMs(sql`clock_timestamp()`),
      })
      .from(sql`(select) one`),
  );

async function compare(
  connection: Connection,
  goal: Awaited<ReturnType<typeof readPrimary>>,
  limitMs: number,
): Promise<Checked> {
  const { isCopy, hasAll, committedMs } = only(
    await queriesOn(connection)
      .select({
        isCopy: sql<boolean>`pg_is_in_recovery() and
          ${identity(sql`(select timeline_id from pg_control_checkpoint())`)} = ${goal.identity}`,
        hasAll: sql<boolean>`pg_last_wal_replay_lsn() >= ${goal.flushed}::text::pg_lsn`,
        // In the primary's time.
        committedMs: epochMs(sql`pg_last_xact_replay_timestamp()`),
      })
      .from(sql`(select) one`),
  );
  if (!isCopy) return { problem: 'it is no replica of this database, or signs in as another role' };
  if (hasAll) return { connection, behindMs: 0 };
  const behindMs = committedMs === null ? Number.POSITIVE_INFINITY : Math.max(0, goal.nowMs - committedMs);
  return behindMs <= limitMs ? { connection, behindMs } : { problem: 'it is too far behind' };
}

const epochMs = (at: ReturnType<typeof sql>) => sql<number>`(extract(epoch from ${at}) * 1000)::float8`;
