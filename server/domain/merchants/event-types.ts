import { and, eq, ne } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { only } from '@/db/queries';
import { merchants, webhookEndpoints } from '@/db/schema';
import { lockMerchant } from './merchant';

/**
 * Derives the types of events that are recorded from the merchant's setting and its webhook endpoints. Call it in the
 * database transaction that changes either, behind the change: requests that come after the commit record them.
 */
export async function refreshEventTypes(tx: Tx): Promise<void> {
  const { merchantId, db } = tx;
  // Endpoints that were changed at the same moment are seen after the lock.
  await lockMerchant(tx);
  const [merchant, endpoints] = await Promise.all([
    db.select({ recordsAll: merchants.recordsEvents }).from(merchants).where(eq(merchants.id, merchantId)),
    db
      .select({ eventTypes: webhookEndpoints.eventTypes })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.merchantId, merchantId), ne(webhookEndpoints.state, 'disabled'))),
  ]);
  const wantsAll = only(merchant).recordsAll || endpoints.some(({ eventTypes }) => eventTypes === null);
  const wanted = new Set(endpoints.flatMap(({ eventTypes }) => eventTypes ?? []));
  await db
    .update(merchants)
    .set({ eventTypes: wantsAll ? null : [...wanted].sort() })
    .where(eq(merchants.id, merchantId));
}
