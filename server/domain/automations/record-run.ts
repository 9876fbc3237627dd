/** Keeps what the worker does for a merchant, for its staff to see: how far it came, how often it failed, and why. */
import { isUnavailable, type Tx, withMerchant } from '@/db/client';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { newId } from '../core/ids';
import type { Automation } from './schemas';

interface RunKey {
  merchantId: string;
  task: Automation;
  /** The run that staff asked for; none where the schedule is due. */
  runId?: string | undefined;
}

/** Notes, in the database transaction of a batch, how many it dealt with. */
export type NoteProgress = (tx: Tx, done: number) => Promise<unknown>;

/**
 * Does `work` and records it. The schedule's runs leave a row once they have done something, or failed; one that fails as
 * the last did is that one, tried again, so that a lasting fault leaves one row. Errors: those of `work`.
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
    // Where the database is away, the run is seen to have stopped.
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
  const { merchantId, sql } = tx;
  await sql`
    insert into job_runs as r (merchant_id, id, task, started_at, updated_at, done)
    values (${merchantId}, ${id}, ${task}, ${startedAt}, ${now}, ${done})
    on conflict (merchant_id, id) do update set started_at = coalesce(r.started_at, excluded.started_at),
      updated_at = excluded.updated_at, done = r.done + excluded.done`;
  await announce(tx, 'automations');
}

async function fail(tx: Tx, run: Run, reason: string, now: Date): Promise<void> {
  const { merchantId, sql } = tx;
  const [last] = await sql`
    select id, error from job_runs where merchant_id = ${merchantId} and task = ${run.task} and id <> ${run.id}
    order by id desc limit 1`;
  const [own] = await sql`select from job_runs where merchant_id = ${merchantId} and id = ${run.id}`;
  const id = own || last?.error !== reason ? run.id : last.id;
  await write(tx, { ...run, id }, 0, now);
  await sql`
    update job_runs set ended_at = ${now}, failures = failures + 1, error = ${reason}
    where merchant_id = ${merchantId} and id = ${id}`;
}

async function end(tx: Tx, { id }: Run, now: Date): Promise<void> {
  const { merchantId, sql } = tx;
  const { count } = await sql`
    update job_runs set ended_at = ${now}, updated_at = ${now}
    where merchant_id = ${merchantId} and id = ${id}`;
  if (count === 1) await announce(tx, 'automations');
}

/** How long finished runs stay visible. */
const keptMs = 30 * 24 * 60 * 60_000;
const forgottenAtOnce = 5_000;

/** Deletes, for all merchants, the runs of more than 30 days ago. */
export async function forgetOldRuns({ db, systemClock, stopping }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - keptMs);
  while (!stopping?.aborted) {
    const [row] = await db.sql`select forget_job_runs(${before}, ${forgottenAtOnce}) as deleted`;
    if (row?.deleted < forgottenAtOnce) return;
  }
}

/** Does a task of the schedule, for all merchants, and keeps when it was last done, and with what outcome. Errors: the task's. */
export async function recordTask(
  services: Services,
  task: string,
  work: (services: Services) => Promise<unknown>,
): Promise<void> {
  const { db, systemClock } = services;
  const startedAt = systemClock.now();
  const keep = (done: number | null, error: string | null) => db.sql`
    insert into scheduled_tasks (task, started_at, ended_at, done, error)
    values (${task}, ${startedAt}, ${systemClock.now()}, ${done}, ${error})
    on conflict (task) do update set started_at = excluded.started_at, ended_at = excluded.ended_at,
      done = excluded.done, error = excluded.error`;
  try {
    const done = await work(services);
    await keep(typeof done === 'number' ? done : null, null);
  } catch (error) {
    await keep(null, isUnavailable(error) ? 'unavailable' : 'fault').catch(() => {});
    throw error;
  }
}
