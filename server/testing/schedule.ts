import { parseCrontab } from 'graphile-worker';
import type postgres from 'postgres';
import { crontab } from '@/server/jobs/tasks';

/** A worker begins nothing by the clock: a test that a minute's turn would disturb says itself what is begun, and when. */
export async function holdSchedule(owner: postgres.Sql): Promise<void> {
  const identifiers = parseCrontab(crontab).map(({ identifier }) => identifier);
  await owner`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    select identifier, now(), '2999-01-01' from unnest(${identifiers}::text[]) identifier
    on conflict (identifier) do update set last_execution = excluded.last_execution`;
}
