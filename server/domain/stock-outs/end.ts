import { and, eq, lte } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { merchantsWithEndedStockOuts } from '@/db/query/functions';
import { stockOuts } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { readMerchantNow } from '../merchants';
import { removeStockOuts } from './entries';

/** Items per database transaction. */
const batchSize = 1_000;

/** Deletes stock-outs whose time is over, of all merchants, and notifies open screens. */
export async function endStockOuts(services: Services): Promise<void> {
  const { $rows, merchantId } = merchantsWithEndedStockOuts({ at: services.systemClock.now() });
  const merchants = await services.db.pool.select({ merchantId }).from($rows);
  await forEachInTurn(merchants, (one) => endStockOutsOf(services, one.merchantId), services.stopping);
}

/** Ends a merchant's stock-outs whose time is over. */
export async function endStockOutsOf(services: Services, merchantId: string): Promise<void> {
  while ((await endBatch(services, merchantId)) === batchSize && !services.stopping?.aborted);
}

/** Returns how many it ended. Leaves those that someone is changing to the next run. */
function endBatch(services: Services, merchantId: string): Promise<number> {
  return withMerchant(services.db, merchantId, async (tx) => {
    const { merchant, now } = await readMerchantNow(tx, services);
    const over = await tx.db
      .select({ storeId: stockOuts.storeId, plu: stockOuts.plu })
      .from(stockOuts)
      .where(and(eq(stockOuts.merchantId, merchantId), lte(stockOuts.until, now)))
      .limit(batchSize)
      .for('update', { skipLocked: true });
    if (over.length > 0) await Promise.all([removeStockOuts(tx, merchant, over, now), announceChange(tx, 'stockOuts')]);
    return over.length;
  });
}
