/** The worker alone, beside the services of a drill. */
import { join } from 'node:path';
import type postgres from 'postgres';
import { eventually } from '../chaos/victims';

/** Starts it as `npm run worker` does. */
export const workerCommand: [string, ...string[]] = [
  process.execPath,
  ...['--import', 'tsx', join('server', 'cli', 'loyalty.ts'), 'worker'],
];

/** When the worker has done a job that is queued now. */
export async function workerReturns(owner: postgres.Sql): Promise<number> {
  const [job] = await eventually(() => owner`select id from graphile_worker.add_job('forget-expired')`, 30_000);
  await eventually(async () => {
    const left = await owner`select from graphile_worker.jobs where id = ${job?.id}`;
    if (left.length > 0) throw new Error('the worker does not work');
  }, 60_000);
  return performance.now();
}
