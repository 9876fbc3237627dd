/** What was sent to an endpoint, for its owner, who can send it again. */

import { and, asc, eq, gt, ne } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { type EventType, testEventType, type WebhookFailure } from '@/db/kinds/lists';
import { anyOf } from '@/db/query/expressions';
import { events, stores, webhookDeliveries } from '@/db/schema';
import { eventColumns, isItsStore, toEvent } from '../events';
import { actorOf, auditChange, auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { createdOn } from '../kernel/on-days';
import { ifGiven, type Page, seekPage, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { type EndpointManager, getEndpoint } from './find-endpoints';
import type { DeliveryInput, deliveryStates, ListDeliveriesInput, ResendSpanInput } from './schemas';

const d = webhookDeliveries;

export interface DeliverySummary {
  eventId: string;
  type: EventType | typeof testEventType;
  state: (typeof deliveryStates)[number];
  attempts: number;
  /** Of the latest attempt: the HTTP status, or why there was no response. */
  status: number | null;
  failure: WebhookFailure | null;
  durationMs: number | null;
  attemptedAt: Date | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

const deliveryColumns = {
  eventId: d.eventId,
  type: events.type,
  state: d.state,
  attempts: d.attempts,
  status: d.status,
  failure: d.failure,
  durationMs: d.durationMs,
  attemptedAt: d.attemptedAt,
  nextAttemptAt: d.nextAttemptAt,
  createdAt: d.createdAt,
};

const newestFirst = { columns: [d.eventId], descending: true };

/** Lists an endpoint's deliveries of the last 30 days, newest first. */
export function listDeliveries(ctx: StaffContext, input: ListDeliveriesInput): Promise<Page<DeliverySummary>> {
  const page = seekPage(input, newestFirst);
  const { where, orderBy, limit } = seekSql(page, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const rows = await tx.db
      .select(deliveryColumns)
      .from(d)
      .innerJoin(events, and(eq(events.merchantId, tx.merchantId), eq(events.id, d.eventId)))
      .where(
        and(
          isOfEndpoint(tx, input.endpointId),
          ifGiven(input.state, (state) => eq(d.state, state).inlineParams()),
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit);
    return toPage(rows, page, ({ eventId }) => [eventId]);
  });
}

const isOfEndpoint = ({ merchantId }: Tx, endpointId: string) =>
  and(eq(d.merchantId, merchantId), eq(d.endpointId, endpointId));
const isDelivery = (tx: Tx, { endpointId, eventId }: DeliveryInput) =>
  and(isOfEndpoint(tx, endpointId), eq(d.eventId, eventId));

export interface Delivery extends DeliverySummary {
  /** The body of the request, as JSON. */
  request: string;
  /** The first 1,000 characters of the last response's body; null if there was none. */
  response: string | null;
}

/** Finds a delivery. Errors: `webhook_delivery_not_found`. */
export async function getDelivery(ctx: StaffContext, input: DeliveryInput): Promise<Delivery> {
  const [row] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    tx.db
      .select({ ...deliveryColumns, response: d.response, event: eventColumns })
      .from(d)
      .innerJoin(events, and(eq(events.merchantId, tx.merchantId), eq(events.id, d.eventId)))
      .leftJoin(stores, isItsStore)
      .where(isDelivery(tx, input)),
  );
  if (!row) throw deliveryNotFound();
  const { event, ...delivery } = row;
  return { ...delivery, request: JSON.stringify(toEvent(event)) };
}

const deliveryNotFound = () => new DomainError('webhook_delivery_not_found', say('deliveryNotFound'));

/** Makes a delivery due again, with three days of attempts. */
const anew = (now: Date) => ({ state: 'pending' as const, attempts: 0, queuedAt: now, nextAttemptAt: now });

/** Sends a delivery again. A waiting one is sent now. Errors: `webhook_delivery_not_found`. */
export function resendDelivery(ctx: StaffContext, input: DeliveryInput): Promise<void> {
  const { endpointId, eventId } = input;
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { count } = await tx.db.update(d).set(anew(ctx.systemClock.now())).where(isDelivery(tx, input));
    if (count === 0) throw deliveryNotFound();
    await auditStaff(tx, ctx, 'webhook.resend', { kind: 'webhook', id: endpointId }, { after: { eventId } });
    await announceChange(tx, 'webhooks');
  });
}

const resentAtOnce = 2_000;

/**
 * Sends the events of some days again: all, or only those that failed. Waiting ones are not changed. Returns how many.
 * Errors: `webhook_endpoint_not_found`, `invalid_request` for a span that ends before it begins.
 */
export async function resendSpan(ctx: StaffContext, input: ResendSpanInput): Promise<{ count: number }> {
  if (input.from > input.until) throw invalid('until', say('spanEndsBeforeStart'));
  await getEndpoint(ctx, input);
  let count = 0;
  for (let after: string | undefined; ; ) {
    const ids: string[] = await resendSome(ctx, input, after);
    count += ids.length;
    after = ids.at(-1);
    if (ids.length < resentAtOnce) return { count };
  }
}

/** Sends the next events of a span again. Returns their ids. */
function resendSome(ctx: StaffContext, input: ResendSpanInput, after: string | undefined): Promise<string[]> {
  const { endpointId, onlyFailed, from, until } = input;
  const isSent = onlyFailed ? eq(d.state, 'failed').inlineParams() : ne(d.state, 'pending').inlineParams();
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const next = await tx.db
      .select({ eventId: d.eventId })
      .from(d)
      .where(
        and(
          isOfEndpoint(tx, endpointId),
          createdOn(d.eventId, ctx.merchant, input),
          ifGiven(after, (id) => gt(d.eventId, id)),
          isSent,
        ),
      )
      .orderBy(asc(d.eventId))
      .limit(resentAtOnce);
    const ids = next.map(({ eventId }) => eventId);
    if (ids.length === 0) return ids;
    const facts = { after: { from, until, onlyFailed, count: ids.length } };
    await Promise.all([
      tx.db
        .update(d)
        .set(anew(ctx.systemClock.now()))
        .where(and(isOfEndpoint(tx, endpointId), anyOf(d.eventId, ids), isSent)),
      auditStaff(tx, ctx, 'webhook.resend', { kind: 'webhook', id: endpointId }, facts),
      announceChange(tx, 'webhooks'),
    ]);
    return ids;
  });
}

/** Before all that wait, because its sender is watching. */
const first = new Date(0);

/** Sends a test event to an enabled endpoint, once. Errors: `webhook_endpoint_not_found`. */
export async function sendTest(
  ctx: EndpointManager,
  { endpointId }: { endpointId: string },
): Promise<{ eventId: string }> {
  const { state } = await getEndpoint(ctx, { endpointId });
  if (state !== 'enabled') throw new DomainError('webhook_endpoint_off', say('endpointOff'));
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const [now, eventId] = [ctx.systemClock.now(), newId()];
    const data = { message: 'This is a test. Nothing happened.' };
    await tx.db
      .insert(events)
      .values({ merchantId: tx.merchantId, id: eventId, type: testEventType, occurredAt: ctx.clock.now(), data });
    await tx.db
      .insert(d)
      .values({ merchantId: tx.merchantId, endpointId, eventId, queuedAt: now, nextAttemptAt: first, createdAt: now });
    await auditChange(tx, actorOf(ctx), 'webhook.test', { kind: 'webhook', id: endpointId }, ctx.clock.now());
    return { eventId };
  });
}
