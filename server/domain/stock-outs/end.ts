import { sql } from 'drizzle-orm';
import { endStockOuts as ended } from '@/db/functions';
import { changesChannel } from '../kernel/changes';
import type { Services } from '../kernel/context';

/** Deletes stock-outs whose time is over, of all merchants, and notifies open screens. */
export async function endStockOuts({ db, systemClock }: Services): Promise<void> {
  const { $rows, merchantId } = ended({ at: systemClock.now() });
  await db.pool.run(sql`
    select pg_notify(${changesChannel}, json_build_object('merchantId', ${merchantId}, 'topic', 'stockOuts')::text)
    from ${$rows}`);
}
