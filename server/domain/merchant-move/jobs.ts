import { type SQL, sql } from 'drizzle-orm';
import { queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import type { Move } from './sides';

/**
 * Queued jobs of the merchant that are still to be done. Jobs that failed for good are left out, unless the stop made
 * them fail.
 */
const jobsOf = (merchantId: string): SQL =>
  sql`graphile_worker._private_jobs j where j.payload ->> 'merchantId' = ${merchantId}
    and (j.attempts < j.max_attempts or j.last_error like '%the merchant is being moved%')`;

/**
 * Queues the merchant's waiting jobs in the target, and removes them from the source. Running it again queues nothing
 * twice, because each job has a key.
 */
export async function moveJobs({ merchantId, source, target }: Move): Promise<void> {
  const waiting = await readJobs(source.db, merchantId);
  await target.owner.begin(async (connection) => {
    const db = queriesOn(connection);
    for (const { id, task, payload, queue, runAt, maxAttempts, key, priority } of waiting) {
      await db.run(sql`select graphile_worker.add_job(${task}, ${payload}::text::json, queue_name => ${queue}::text,
        run_at => ${runAt}::text::timestamptz, max_attempts => ${maxAttempts}::integer,
        job_key => ${key ?? `moved ${source.cell} ${id}`}, priority => ${priority}::integer)`);
    }
  });
  const ids = waiting.map(({ id }) => id);
  // A job that runs now fails here, and has nothing to do.
  if (ids.length > 0)
    await source.db.run(sql`delete from ${jobsOf(merchantId)} and j.id::text in ${ids} and j.locked_at is null`);
}

const readJobs = (db: Queries, merchantId: string) =>
  db
    .select({
      id: sql<string>`j.id::text`,
      task: sql<string>`(select t.identifier from graphile_worker._private_tasks t where t.id = j.task_id)`,
      payload: sql<string>`j.payload::text`,
      queue: sql<
        string | null
      >`(select q.queue_name from graphile_worker._private_job_queues q where q.id = j.job_queue_id)`,
      runAt: sql<string>`j.run_at::text`,
      maxAttempts: sql<number>`j.max_attempts::integer`,
      key: sql<string | null>`j.key`,
      priority: sql<number>`j.priority::integer`,
    })
    .from(jobsOf(merchantId));
