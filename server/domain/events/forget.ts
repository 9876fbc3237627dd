import { forgetEvents } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import type { Services } from '../kernel/context';
import { firstIdAt } from '../kernel/ids';

/** A day longer than promised, so that a reader of the last kept page has time to continue from its end. */
const keptMs = 31 * 24 * 60 * 60_000;
const batchSize = 1_000;
const maxBatches = 10_000;

/** Deletes old events of all merchants in batches, with their deliveries. Keeps each merchant's newest old event. */
export async function forgetOldEvents({ db, systemClock, stopping }: Services): Promise<void> {
  const before = firstIdAt(new Date(systemClock.now().getTime() - keptMs));
  for (let batch = 0; batch < maxBatches && !stopping?.aborted; batch++) {
    const { $rows, forgotten } = forgetEvents({ before, most: batchSize });
    const { forgotten: deleted } = only(await db.pool.select({ forgotten }).from($rows));
    if (deleted < batchSize) return;
  }
}
