/** The locks of the queue's jobs. The queue itself waits four hours for a worker that is gone. */

import { sql } from 'drizzle-orm';
import type { Task, TaskList } from 'graphile-worker';
import type { Database } from '@/db/driver';

/** How long a job's lock may go without renewal before its worker counts as lost. */
const leaseSeconds = 60;
/** How often a worker renews its locks. */
export const renewMs = 15_000;

/**
 * `holding` wraps tasks so that their jobs' locks are tracked. `keep`, called periodically, renews those locks and
 * frees lost ones.
 */
export function createLocks({ pool }: Database) {
  const held = new Set<string>();
  const hold =
    (task: Task): Task =>
    async (payload, helpers) => {
      held.add(helpers.job.id);
      try {
        return await task(payload, helpers);
      } finally {
        held.delete(helpers.job.id);
      }
    };
  return {
    holding: (tasks: TaskList): TaskList =>
      Object.fromEntries(Object.entries(tasks).flatMap(([name, task]) => (task ? [[name, hold(task as Task)]] : []))),
    keep: async (): Promise<void> => {
      await pool.run(sql`
        with kept as (
          update graphile_worker._private_jobs set locked_at = now()
          where id = any(${sql.param([...held])}::bigint[]) and locked_at is not null
          returning job_queue_id
        )
        update graphile_worker._private_job_queues set locked_at = now()
        where id in (select job_queue_id from kept) and locked_at is not null`);
      await pool.run(sql`
        with freed as (
          update graphile_worker._private_jobs set locked_at = null, locked_by = null
          where locked_at < now() - make_interval(secs => ${leaseSeconds})
        )
        update graphile_worker._private_job_queues set locked_at = null, locked_by = null
        where locked_at < now() - make_interval(secs => ${leaseSeconds})`);
    },
  };
}
