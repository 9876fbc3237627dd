/** Shows staff their scheduled tasks, and lets them run one now. */

import { and, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { jobRuns, scheduledTasks, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { jobPayload } from '../kernel/job-payload';
import { lockMerchant } from '../merchants';
import { type Automation, automations, type RunNowInput, runNowInput } from './schemas';

/** The worker's job that runs one of a merchant's tasks now. */
export const runNowTask = 'run-automation';
/** A run without progress for this long has lost its worker. */
const staleAfterMs = 2 * 60_000;
const maxRuns = 10;

export interface AutomationRun {
  runId: string;
  /** `stopped`: its worker was killed. The next run continues it. */
  state: 'queued' | 'running' | 'finished' | 'failed' | 'stopped';
  /** Null for scheduled runs. */
  requestedBy: string | null;
  startedAt: Date | null;
  endedAt: Date | null;
  done: number;
  failures: number;
  error: 'unavailable' | 'fault' | null;
}

export interface AutomationState {
  task: Automation;
  canRunNow: boolean;
  /** When the schedule last checked and checks next; null for tasks that start at once. */
  checkedAt: Date | null;
  nextAt: Date | null;
  /** Newest first, of the last 30 days. */
  runs: AutomationRun[];
}

/** Lists the merchant's automations. Times are the machine's, not the merchant's clock. */
export function listAutomations({ db, merchant, systemClock }: StaffContext): Promise<AutomationState[]> {
  const now = systemClock.now();
  return withMerchant(db, merchant.id, (tx) =>
    Promise.all(
      (Object.keys(automations) as Automation[]).map(async (task) => {
        const everyMinutes = automations[task];
        const [runs, [lastCheck]] = await Promise.all([
          selectRuns(tx, task),
          tx.db.select({ endedAt: scheduledTasks.endedAt }).from(scheduledTasks).where(eq(scheduledTasks.task, task)),
        ]);
        return {
          task,
          canRunNow: runNowInput.shape.task.safeParse(task).success,
          checkedAt: everyMinutes === null ? null : (lastCheck?.endedAt ?? null),
          nextAt: everyMinutes === null ? null : nextTime(now, everyMinutes),
          runs: runs.map(({ updatedAt, ...run }) => ({ ...run, state: stateOf({ ...run, updatedAt }, now) })),
        };
      }),
    ),
  );
}

function selectRuns({ merchantId, db }: Tx, task: Automation) {
  const newest = db
    .select()
    .from(jobRuns)
    .where(and(eq(jobRuns.merchantId, merchantId), eq(jobRuns.task, task)))
    .orderBy(desc(jobRuns.id))
    .limit(maxRuns)
    .as('newest');
  return db
    .select({
      runId: newest.id,
      requestedBy: users.name,
      startedAt: newest.startedAt,
      endedAt: newest.endedAt,
      done: newest.done,
      failures: newest.failures,
      error: newest.error,
      updatedAt: newest.updatedAt,
    })
    .from(newest)
    .leftJoin(users, eq(users.id, newest.requestedBy))
    .orderBy(desc(newest.id));
}

function nextTime(now: Date, everyMinutes: number): Date {
  const stepMs = everyMinutes * 60_000;
  return new Date(Math.floor(now.getTime() / stepMs + 1) * stepMs);
}

function stateOf(
  run: Pick<AutomationRun, 'startedAt' | 'endedAt' | 'error'> & { updatedAt: Date },
  now: Date,
): AutomationRun['state'] {
  if (run.endedAt !== null) return run.error === null ? 'finished' : 'failed';
  if (run.updatedAt.getTime() < now.getTime() - staleAfterMs) return 'stopped';
  return run.startedAt === null ? 'queued' : 'running';
}

/** Runs a task for the merchant at once, unless it is already queued or running. */
export function runNow(ctx: StaffContext, { task }: RunNowInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    // If two people request a run at once, the second finds the first's run.
    await lockMerchant(tx);
    if (!(await queueRun(tx, ctx, task, { requestedBy: ctx.staff.userId }))) return;
    await auditStaff(tx, ctx, 'automation.runNow', { kind: 'automation', id: task });
    await announceChange(tx, 'automations');
  });
}

/** Queues every task that can be run now. Requires the lock on the merchant's row. */
export async function queueAllRuns(tx: Tx, services: Services, requestedBy: string | null): Promise<void> {
  for (const task of runNowInput.shape.task.options) {
    await queueRun(tx, services, task, { requestedBy, isAnew: true });
  }
}

/** Returns false if a run is in progress; with `isAnew`, queues another after it. */
async function queueRun(
  { merchantId, db }: Tx,
  { systemClock }: Services,
  task: RunNowInput['task'],
  { requestedBy, isAnew = false }: { requestedBy: string | null; isAnew?: boolean },
): Promise<boolean> {
  const now = systemClock.now();
  const [open] = await db
    .select({ id: jobRuns.id })
    .from(jobRuns)
    .where(
      and(
        eq(jobRuns.merchantId, merchantId),
        eq(jobRuns.task, task),
        isNull(jobRuns.endedAt),
        gte(jobRuns.updatedAt, new Date(now.getTime() - staleAfterMs)),
      ),
    )
    .limit(1);
  if (open && !isAnew) return false;
  const runId = newId();
  const payload = jobPayload({ merchantId, task, runId });
  // Not retried, because the schedule repeats the work.
  await Promise.all([
    db.insert(jobRuns).values({ merchantId, id: runId, task, requestedBy, updatedAt: now }),
    db.run(sql`select graphile_worker.add_job(${runNowTask}, ${payload}::text::json, max_attempts => 1)`),
  ]);
  return true;
}
