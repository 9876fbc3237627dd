/** Events of tests, and a worker that sends them. */

import { setTimeout as wait } from 'node:timers/promises';
import { desc, not } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import type { EventTypeOf } from '@/db/kinds/lists';
import { events } from '@/db/schema';
import { isFinal } from '../domain/events';
import type { Services } from '../domain/kernel/context';
import { type NewEvent, sendEvents } from '../domain/kernel/events';
import { deliverBatch, endpointsDue, type WebhookSender } from '../domain/webhooks';

/** Writes a merchant's events, as a change does. Returns their ids, in order. */
export async function writeEvents(
  services: Services,
  merchantId: string,
  ...types: EventTypeOf<'store'>[]
): Promise<string[]> {
  const ids: string[] = [];
  for (const type of types) {
    const event: NewEvent = { type, storeId: null, occurredAt: services.clock.now(), data: { number: ids.length } };
    const [row] = await withMerchant(services.db, merchantId, (tx) => {
      sendEvents(tx, [event]);
      return tx.db.select({ id: events.id }).from(events).orderBy(desc(events.seq)).limit(1);
    });
    ids.push(row?.id ?? '');
  }
  return ids;
}

/** Waits until a merchant's events can be sent. Earlier transactions of other tests on the same server delay them. */
export async function settleEvents({ db }: Services, merchantId: string): Promise<void> {
  const open = () =>
    withMerchant(db, merchantId, (tx) => tx.db.select({ id: events.id }).from(events).where(not(isFinal)).limit(1));
  while ((await open()).length > 0) await wait(10);
}

/** Sends a merchant's due webhooks, as the worker does. Returns whether there were any. */
export async function sendDue(services: Services, sender: WebhookSender, merchantId: string): Promise<boolean> {
  const due = (await endpointsDue(services)).filter((one) => one.merchantId === merchantId);
  await Promise.all(
    due.map(async (endpoint) => {
      while (await deliverBatch(services, sender, endpoint));
    }),
  );
  return due.length > 0;
}
