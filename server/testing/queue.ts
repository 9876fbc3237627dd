/** Accesses jobs in graphile-worker's tables where its views and functions do not suffice. */

import { parseCrontab } from 'graphile-worker';
import type { Sql } from '@/db/driver';
import { crontab } from '@/server/jobs/tasks';

type Owner = Sql;

interface Job {
  id: string;
  task_identifier: string;
  attempts: number;
  max_attempts: number;
  run_at: Date;
  updated_at: Date;
  locked_at: Date | null;
  payload: Record<string, string>;
}

/** Reads queued jobs, oldest first, with their payload, which the library's view omits. */
export const queuedJobs = (owner: Owner) => owner<Job[]>`
  select jobs.*, jobs.id::text, payload from graphile_worker.jobs
  join graphile_worker._private_jobs kept using (id) order by jobs.id`;

/** Makes every waiting job due now. */
export async function hurryJobs(owner: Owner): Promise<void> {
  await owner`update graphile_worker._private_jobs set run_at = now() where locked_at is null`;
  await owner`select pg_notify('jobs:insert', '{"count":1}')`;
}

/** Simulates a worker's death during the job with that key. */
export async function abandonJob(owner: Owner, key: string): Promise<void> {
  await owner`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead' where key = ${key}`;
}

/** Deletes jobs, even running ones. Without ids, deletes all. */
export async function dropJobs(owner: Owner, ids?: string[]): Promise<void> {
  await owner`delete from graphile_worker._private_jobs where ${ids ? owner`id = any(${ids}::bigint[])` : owner`true`}`;
}

/** Keeps workers from starting scheduled tasks, for tests that start them themselves. */
export async function holdSchedule(owner: Owner): Promise<void> {
  const identifiers = parseCrontab(crontab).map(({ identifier }) => identifier);
  await owner`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    select identifier, now(), '2999-01-01' from unnest(${identifiers}::text[]) identifier
    on conflict (identifier) do update set last_execution = excluded.last_execution`;
}
