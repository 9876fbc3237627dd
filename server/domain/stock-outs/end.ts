import { changesChannel } from '../core/changes';
import type { Services } from '../core/context';

/** Takes away what has come back by itself, of all merchants, and tells open screens, whose menus say it is sold out. */
export async function endStockOuts({ db, systemClock }: Services): Promise<void> {
  await db.sql`
    select pg_notify(${changesChannel}, json_build_object('merchantId', merchant_id, 'topic', 'stockOuts')::text)
    from end_stock_outs(${systemClock.now()})`;
}
