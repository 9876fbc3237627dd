/** Records what the worker does for a merchant, for its staff to see: progress, failures and their reasons. */

import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { isUnavailable, type Tx, withMerchant } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import { forgetJobRuns } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { jobRuns, scheduledTasks } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { newId } from '../kernel/ids';
import type { Automation } from './schemas';

interface RunKey {
  merchantId: string;
  task: Automation;
  /** Set for a run that staff requested; absent for a scheduled one. */
  runId?: string | undefined;
}

/** Records how many items a batch handled, in the batch's database transaction. */
export type NoteProgress = (tx: Tx, done: number) => Promise<unknown>;

/**
 * Runs `work` and records it. A scheduled run leaves a row only if it has done something or failed. A run that fails
 * for the same reason as the last one counts as its retry, so that a lasting fault leaves one row. Errors: those of
 * `work`.
 */
export async function recordRun(
  services: Services,
  { merchantId, task, runId }: RunKey,
  work: (note: NoteProgress) => Promise<void>,
): Promise<void> {
  const { db, systemClock } = services;
  const run: Run = { id: runId ?? newId(), task, startedAt: systemClock.now() };
  const inOwnTransaction = (step: (tx: Tx) => Promise<unknown>) => withMerchant(db, merchantId, step);
  let leavesRow = runId !== undefined;
  if (leavesRow) await inOwnTransaction((tx) => write(tx, run, 0, systemClock.now()));
  try {
    await work(async (tx, done) => {
      if (done === 0) return;
      leavesRow = true;
      await write(tx, run, done, systemClock.now());
    });
  } catch (error) {
    const reason = isUnavailable(error) ? 'unavailable' : 'fault';
    // If the database is down, staff see the run as stopped.
    await inOwnTransaction((tx) => fail(tx, run, reason, systemClock.now())).catch(() => {});
    throw error;
  }
  if (leavesRow) await inOwnTransaction((tx) => end(tx, run, systemClock.now()));
}

interface Run {
  id: string;
  task: Automation;
  startedAt: Date;
}

async function write(tx: Tx, { id, task, startedAt }: Run, done: number, now: Date): Promise<void> {
  const { merchantId, db } = tx;
  const r = jobRuns;
  await db
    .insert(r)
    .values({ merchantId, id, task, startedAt, updatedAt: now, done })
    .onConflictDoUpdate({
      target: [r.merchantId, r.id],
      set: {
        startedAt: sql`coalesce(${r.startedAt}, excluded.${nameOf(r.startedAt)})`,
        updatedAt: now,
        done: sql`${r.done} + excluded.${nameOf(r.done)}`,
      },
    });
  await announceChange(tx, 'automations');
}

type Fault = NonNullable<(typeof jobRuns.$inferSelect)['error']>;

const isRun = ({ merchantId }: Tx, id: string) => and(eq(jobRuns.merchantId, merchantId), eq(jobRuns.id, id));

async function fail(tx: Tx, run: Run, reason: Fault, now: Date): Promise<void> {
  const { merchantId, db } = tx;
  const [last] = await db
    .select({ id: jobRuns.id, error: jobRuns.error })
    .from(jobRuns)
    .where(and(eq(jobRuns.merchantId, merchantId), eq(jobRuns.task, run.task), ne(jobRuns.id, run.id)))
    .orderBy(desc(jobRuns.id))
    .limit(1);
  const [ownRow] = await db.select({ id: jobRuns.id }).from(jobRuns).where(isRun(tx, run.id));
  const id = ownRow || last?.error !== reason ? run.id : last.id;
  await write(tx, { ...run, id }, 0, now);
  await db
    .update(jobRuns)
    .set({ endedAt: now, failures: sql`${jobRuns.failures} + 1`, error: reason })
    .where(isRun(tx, id));
}

async function end(tx: Tx, { id }: Run, now: Date): Promise<void> {
  const { count } = await tx.db.update(jobRuns).set({ endedAt: now, updatedAt: now }).where(isRun(tx, id));
  if (count === 1) await announceChange(tx, 'automations');
}

/** How long finished runs are kept. */
const retentionMs = 30 * 24 * 60 * 60_000;
const deleteBatchSize = 5_000;

/** Deletes all merchants' runs older than 30 days. */
export async function forgetOldRuns({ db, systemClock, stopping }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - retentionMs);
  const { $rows, forgotten } = forgetJobRuns({ before, most: deleteBatchSize });
  while (!stopping?.aborted) {
    const row = only(await db.pool.select({ forgotten }).from($rows));
    if (row.forgotten < deleteBatchSize) return;
  }
}

/** Runs a scheduled task for all merchants, and records when it last ran and with what result. Errors: the task's. */
export async function recordTask(
  services: Services,
  task: string,
  work: (services: Services) => Promise<unknown>,
): Promise<void> {
  const { db, systemClock } = services;
  const startedAt = systemClock.now();
  const keep = (done: number | null, error: Fault | null) => {
    const outcome = { startedAt, endedAt: systemClock.now(), done, error };
    return db.pool
      .insert(scheduledTasks)
      .values({ task, ...outcome })
      .onConflictDoUpdate({ target: scheduledTasks.task, set: outcome });
  };
  try {
    const done = await work(services);
    await keep(typeof done === 'number' ? done : null, null);
  } catch (error) {
    await keep(null, isUnavailable(error) ? 'unavailable' : 'fault').catch(() => {});
    throw error;
  }
}
