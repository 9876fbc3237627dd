import { isDeepStrictEqual } from 'node:util';
import { and, eq, ne } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { alwaysRecorded, type EventType } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { merchants, webhookEndpoints } from '@/db/schema';
import { sendEvents } from '../kernel/events';
import { lockMerchant } from './merchant';

/**
 * Derives the types of events that are recorded from the merchant's setting and its webhook endpoints. Call it in the
 * database transaction that changes either, behind the change: requests that come after the commit record them. If they
 * change, an event says so: `now` is the time by the merchant's clock.
 */
export async function refreshEventTypes(tx: Tx, now: Date): Promise<void> {
  const { merchantId, db } = tx;
  // After the lock, endpoints changed at the same moment are visible.
  await lockMerchant(tx);
  const [merchant, endpoints] = await Promise.all([
    db
      .select({ recordsAll: merchants.recordsEvents, before: merchants.eventTypes })
      .from(merchants)
      .where(eq(merchants.id, merchantId)),
    db
      .select({ eventTypes: webhookEndpoints.eventTypes })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.merchantId, merchantId), ne(webhookEndpoints.state, 'disabled'))),
  ]);
  const { recordsAll, before } = only(merchant);
  const wantsAll = recordsAll || endpoints.some(({ eventTypes }) => eventTypes === null);
  const wanted = new Set(endpoints.flatMap(({ eventTypes }) => eventTypes ?? []));
  wanted.delete(alwaysRecorded);
  const types: EventType[] | null = wantsAll ? null : [...wanted].sort();
  if (isDeepStrictEqual(types, before)) return;
  await db.update(merchants).set({ eventTypes: types }).where(eq(merchants.id, merchantId));
  sendEvents(tx, [{ type: alwaysRecorded, storeId: null, occurredAt: now, data: { types } }]);
}
