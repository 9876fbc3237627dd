/**
 * Sends due webhooks. One worker at a time handles an endpoint: it takes a batch of deliveries under a lease, sends
 * them outside of a database transaction, and records the results. What a killed worker had taken is sent again after
 * its lease, with the same ids.
 */

import { and, asc, eq, exists, isNull, lte, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { testEventType, type WebhookFailure } from '@/db/kinds/lists';
import { insertRows, recordset } from '@/db/query/expressions';
import { webhookEndpointsDue } from '@/db/query/functions';
import { events, stores, webhookDeliveries, webhookEndpoints } from '@/db/schema';
import { eventColumns, isBehind, isFinal, isItsStore, toEvent } from '../events';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { disableEndpoint } from './disable';
import { type EndpointKey, openSecrets } from './endpoints';
import { isEndpoint } from './find-endpoints';
import { signedHeaders } from './signature';
import { isGivenUp, nextTry } from './timetable';

export interface WebhookResult {
  /** `refused`: the endpoint is gone (410). */
  outcome: 'sent' | 'retry' | 'refused';
  /** The response's status; null if there was no response. */
  status: number | null;
  /** The first 1,000 characters of its body. */
  answer: string | null;
  error: WebhookFailure | null;
  durationMs: number;
}

export interface WebhookSender {
  /** Never throws. */
  send(webhook: { url: string; headers: Record<string, string>; body: string }): Promise<WebhookResult>;
}

/** Longer than a batch takes, which is `startWithinMs` and the sender's timeout. */
const leaseMs = 60_000;
/** No request of a batch starts later than this. */
const startWithinMs = 10_000;
const batchSize = 40;
const atOnce = 4;
/** Events that get their deliveries in one database transaction. */
const queuedAtOnce = 500;

/** Returns endpoints with something to send; failing ones come last. */
export function endpointsDue({ db, systemClock }: Services): Promise<(EndpointKey & { isFailing: boolean })[]> {
  const { $rows, merchantId, endpointId, isFailing } = webhookEndpointsDue({ at: systemClock.now() });
  return db.pool.select({ merchantId, endpointId, isFailing }).from($rows);
}

/** Sends a batch of an endpoint's due webhooks. Returns whether there may be more. */
export async function deliverBatch(services: Services, sender: WebhookSender, key: EndpointKey): Promise<boolean> {
  const batch = await withMerchant(services.db, key.merchantId, (tx) => take(tx, services, key.endpointId));
  if (!batch || batch.due.length === 0) return batch?.isMore ?? false;
  const attempts = await sendAll(services, sender, batch);
  await recordAttempts(services, key, batch, attempts);
  return attempts.some(({ result }) => result.outcome === 'sent') && !services.stopping?.aborted;
}

/** Queues new events, and leases the endpoint if something is due. Returns null if another worker has it. */
async function take(tx: Tx, { systemClock }: Services, endpointId: string) {
  const { merchantId, db } = tx;
  const now = systemClock.now();
  const { leasedUntil, state } = webhookEndpoints;
  const [endpoint] = await db
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        isEndpoint(tx, endpointId),
        eq(state, 'enabled').inlineParams(),
        or(isNull(leasedUntil), lte(leasedUntil, now)),
      ),
    )
    .for('no key update', { skipLocked: true });
  if (!endpoint) return null;
  const isMore = await queueEvents(tx, endpoint, now);
  const { eventId, attempts, queuedAt, nextAttemptAt, state: deliveryState } = webhookDeliveries;
  const due = await db
    .select({ attempts, queuedAt, event: eventColumns })
    .from(webhookDeliveries)
    .innerJoin(events, and(eq(events.merchantId, merchantId), eq(events.id, eventId)))
    .leftJoin(stores, isItsStore)
    .where(
      and(
        eq(webhookDeliveries.merchantId, merchantId),
        eq(webhookDeliveries.endpointId, endpointId),
        eq(deliveryState, 'pending').inlineParams(),
        lte(nextAttemptAt, now),
      ),
    )
    .orderBy(asc(nextAttemptAt), asc(eventId))
    .limit(batchSize);
  const lease = new Date(now.getTime() + leaseMs);
  if (due.length > 0) await db.update(webhookEndpoints).set({ leasedUntil: lease }).where(isEndpoint(tx, endpointId));
  return { endpoint, due, lease, isMore };
}

type Batch = NonNullable<Awaited<ReturnType<typeof take>>>;
type Due = Batch['due'][number];

/** Creates the deliveries of the next events. Returns whether there may be more. */
async function queueEvents(tx: Tx, endpoint: Batch['endpoint'], now: Date): Promise<boolean> {
  const { merchantId, db } = tx;
  const { id, type, xid, seq } = events;
  const { queuedXid, queuedSeq, eventTypes } = endpoint;
  const fresh = await db
    .select({ id, type, xid, seq })
    .from(events)
    .where(and(eq(events.merchantId, merchantId), isBehind({ xid: queuedXid, seq: queuedSeq }), isFinal))
    .orderBy(asc(xid), asc(seq))
    .limit(queuedAtOnce);
  const last = fresh.at(-1);
  if (!last) return false;
  const wanted = fresh.filter((event) => event.type !== testEventType && (eventTypes?.includes(event.type) ?? true));
  const rows = wanted.map((event) => ({
    endpointId: endpoint.id,
    eventId: event.id,
    queuedAt: now,
    nextAttemptAt: now,
    createdAt: now,
  }));
  if (rows.length > 0) await insertDeliveries(tx, rows);
  await db
    .update(webhookEndpoints)
    .set({ queuedXid: last.xid, queuedSeq: last.seq })
    .where(isEndpoint(tx, endpoint.id));
  return fresh.length === queuedAtOnce;
}

const insertDeliveries = insertRows(
  webhookDeliveries,
  ['endpointId', 'eventId', 'queuedAt', 'nextAttemptAt', 'createdAt'],
  sql`do nothing`,
);

interface Attempt {
  due: Due;
  result: WebhookResult;
}

/**
 * Sends the batch, a few at once, or one at a time if the endpoint is failing. Starts no more after a failure or when
 * it is told to stop.
 */
async function sendAll(services: Services, sender: WebhookSender, { endpoint, due }: Batch): Promise<Attempt[]> {
  const secrets = openSecrets(services, endpoint);
  const startBefore = performance.now() + startWithinMs;
  const waiting = due.values();
  const attempts: Attempt[] = [];
  let goesOn = true;
  const lane = async () => {
    for (const one of waiting) {
      const body = JSON.stringify(toEvent(one.event));
      const headers = signedHeaders(secrets, { id: one.event.id, at: services.systemClock.now(), body });
      const result = await sender.send({ url: endpoint.url, headers, body });
      attempts.push({ due: one, result });
      goesOn &&= result.outcome === 'sent' && performance.now() < startBefore && !services.stopping?.aborted;
      if (!goesOn) return;
    }
  };
  await Promise.all(Array.from({ length: endpoint.failingSince ? 1 : atOnce }, lane));
  return attempts;
}

/** Records a batch, and releases the endpoint. */
async function recordAttempts(services: Services, key: EndpointKey, batch: Batch, attempts: Attempt[]): Promise<void> {
  const now = services.systemClock.now();
  const { endpoint, lease } = batch;
  const isAccepted = attempts.some(({ result }) => result.outcome === 'sent');
  // A failed test does not count, because its sender sees it.
  const failingSince = isAccepted
    ? null
    : (endpoint.failingSince ?? (attempts.every(({ due }) => isTest(due)) ? null : now));
  await withMerchant(services.db, key.merchantId, (tx) =>
    Promise.all([
      updateDeliveries(tx, endpoint.id, attempts, now),
      tx.db
        .update(webhookEndpoints)
        .set({ leasedUntil: null, failingSince })
        .where(and(isEndpoint(tx, endpoint.id), eq(webhookEndpoints.leasedUntil, lease))),
      ...((failingSince === null) === (endpoint.failingSince === null) ? [] : [announceChange(tx, 'webhooks')]),
    ]),
  );
  const isGone = attempts.some(({ result }) => result.outcome === 'refused');
  const isFailed =
    failingSince !== null && attempts.some(({ due }) => !isTest(due) && isGivenUp(failingSince, due.queuedAt, now));
  const { url } = endpoint;
  if (isGone || isFailed) await disableEndpoint(services, key, { url, reason: isGone ? 'gone' : 'failing' });
}

/** Updates the deliveries, except those that staff have sent again meanwhile or that another worker has recorded. */
function updateDeliveries(tx: Tx, endpointId: string, attempts: Attempt[], now: Date) {
  const d = webhookDeliveries;
  const { eventId, state, attempts: made, nextAttemptAt, status, durationMs, response, failure } = d;
  const rows = attempts.map(({ due, result }) => {
    const next = result.outcome === 'retry' ? retryAt(due, now) : null;
    return {
      eventId: due.event.id,
      state: result.outcome === 'sent' ? ('delivered' as const) : next ? ('pending' as const) : ('failed' as const),
      made: due.attempts + 1,
      nextAttemptAt: next,
      status: result.status,
      durationMs: result.durationMs,
      response: result.answer,
      failure: result.error,
    };
  });
  const given = recordset(
    'given',
    { eventId, state, made, nextAttemptAt, status, durationMs, response, failure },
    rows,
  );
  const isErased = exists(
    tx.db
      .select({ id: events.id })
      .from(events)
      .where(and(eq(events.merchantId, tx.merchantId), eq(events.id, given.eventId), isNull(events.data))),
  );
  return tx.db
    .update(d)
    .set({
      state: given.state,
      attempts: given.made,
      nextAttemptAt: given.nextAttemptAt,
      attemptedAt: now,
      status: given.status,
      durationMs: given.durationMs,
      failure: given.failure,
      // The response may repeat data that was erased meanwhile.
      response: sql`case when ${isErased} then null else ${given.response} end`,
    })
    .from(given.$rows)
    .where(
      and(
        eq(d.merchantId, tx.merchantId),
        eq(d.endpointId, endpointId),
        eq(d.eventId, given.eventId),
        eq(d.state, 'pending').inlineParams(),
        eq(d.attempts, sql`${given.made} - 1`),
      ),
    );
}

/** A test is sent only once, because its sender is watching. */
const retryAt = (due: Due, now: Date): Date | null =>
  isTest(due) ? null : nextTry({ attempts: due.attempts + 1, queuedAt: due.queuedAt }, now);

const isTest = ({ event }: Due) => event.type === testEventType;
