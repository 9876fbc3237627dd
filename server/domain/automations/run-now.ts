/** What staff see of what happens by itself, and how they have it happen out of turn. */
import { and, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { jobRuns, scheduledTasks, users } from '@/db/schema';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../core/context';
import { newId } from '../core/ids';
import { lockMerchant } from '../merchants/merchant';
import { type Automation, automations, type RunNowInput, runNowInput } from './schemas';

/** The job that does one of a merchant's tasks out of turn, as the worker knows it. */
export const runNowTask = 'run-automation';
/** A run that has not moved for this long has lost its worker. */
const lostAfterMs = 2 * 60_000;
const mostRuns = 10;

export interface AutomationRun {
  runId: string;
  /** `stopped`: its worker was killed, and the next run went on, or will. */
  state: 'queued' | 'running' | 'finished' | 'failed' | 'stopped';
  /** Null for the schedule. */
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
  /** When the schedule last looked, and looks next; null for what follows at once. */
  checkedAt: Date | null;
  nextAt: Date | null;
  /** The newest first; of the last 30 days. */
  runs: AutomationRun[];
}

/** What happens for the merchant by itself. Times are the machine's. */
export function listAutomations({ db, merchant, systemClock }: StaffContext): Promise<AutomationState[]> {
  const now = systemClock.now();
  return withMerchant(db, merchant.id, (tx) =>
    Promise.all(
      (Object.keys(automations) as Automation[]).map(async (task) => {
        const everyMinutes = automations[task];
        const [runs, [looked]] = await Promise.all([
          selectRuns(tx, task),
          tx.db.select({ endedAt: scheduledTasks.endedAt }).from(scheduledTasks).where(eq(scheduledTasks.task, task)),
        ]);
        return {
          task,
          canRunNow: runNowInput.shape.task.safeParse(task).success,
          checkedAt: everyMinutes === null ? null : (looked?.endedAt ?? null),
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
    .limit(mostRuns)
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
  if (run.updatedAt.getTime() < now.getTime() - lostAfterMs) return 'stopped';
  return run.startedAt === null ? 'queued' : 'running';
}

/** Has a task done for the merchant at once; one that is under way already is not done twice. */
export function runNow(ctx: StaffContext, { task }: RunNowInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    // If two people ask at once, one finds the other's run.
    await lockMerchant(tx);
    if (!(await queueRun(tx, ctx, task))) return;
    await auditStaff(tx, ctx, 'automation.runNow', { kind: 'automation', id: task });
    await announce(tx, 'automations');
  });
}

/** The same for all that can be, under the lock of the merchant's row. */
export async function queueAllRuns(tx: Tx, ctx: StaffContext): Promise<void> {
  for (const task of runNowInput.shape.task.options) await queueRun(tx, ctx, task, { isAnew: true });
}

/** False where one is under way; `isAnew`: has it run once more after that. */
async function queueRun(
  { merchantId, db }: Tx,
  { staff, systemClock }: StaffContext,
  task: RunNowInput['task'],
  { isAnew = false } = {},
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
        gte(jobRuns.updatedAt, new Date(now.getTime() - lostAfterMs)),
      ),
    )
    .limit(1);
  if (open && !isAnew) return false;
  const runId = newId();
  const payload = JSON.stringify({ merchantId, task, runId });
  // Tried once: what fails, the schedule does.
  await Promise.all([
    db.insert(jobRuns).values({ merchantId, id: runId, task, requestedBy: staff.userId, updatedAt: now }),
    db.run(sql`select graphile_worker.add_job(${runNowTask}, ${payload}::text::json, max_attempts => 1)`),
  ]);
  return true;
}
