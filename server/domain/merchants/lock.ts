import { eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import { merchants } from '@/db/schema';
import { announce, type Topic } from '../core/changes';
import type { Merchant, StaffContext } from '../core/context';
import { merchantColumns, toMerchant } from './merchant-row';

/**
 * Holds others who lock the merchant's row until this database transaction ends; answers its settings. Every row that refers
 * to the merchant shares its key: `update` waits for those that are being written, and a busy merchant is never free of them.
 */
export async function lockMerchant(
  { merchantId, db }: Tx,
  strength: 'update' | 'no key update' = 'no key update',
): Promise<Merchant> {
  return toMerchant(
    only(await db.select(merchantColumns).from(merchants).where(eq(merchants.id, merchantId)).for(strength)),
  );
}

/**
 * Runs `work` as one change of `topic`. Changes that go in turn follow one another, so that an order of positions is never
 * made from two halves; open screens are notified.
 */
export function changeInTurn<T>(ctx: StaffContext, topic: Topic, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMerchant(tx);
    const result = await work(tx);
    await announce(tx, topic);
    return result;
  });
}
