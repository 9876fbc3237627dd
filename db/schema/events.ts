import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  bytes,
  createdAt,
  id,
  instant,
  json,
  listOfLiterals,
  merchantId,
  storeOrNonePolicy,
  tenantPolicy,
} from '../kinds/columns';
import { endpointStates, eventTypes, testEventType, webhookFailures } from '../kinds/lists';
import { customers } from './customers';
import { merchants, stores } from './merchants';

/**
 * What changed, as the REST API shows it, for `GET /events` and webhooks. Kept for 30 days, and written in the database
 * transaction of the change if the merchant wants the type (`merchants.eventTypes`).
 *
 * Events are read in the order of (`xid`, `seq`), and only those of database transactions before the oldest running
 * one. So no event appears before one that was already read: see docs/adr/0031.
 */
export const events = pgTable(
  'events',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    type: text('type', { enum: [...eventTypes, testEventType] }).notNull(),
    /** Null for an event that belongs to no store, such as a customer's. */
    storeId: uuid('store_id'),
    /** The customer whose name or contact details it has. They are erased with the customer. */
    customerId: uuid('customer_id'),
    occurredAt: instant('occurred_at').notNull(),
    /** Null once the customer is erased. */
    data: json<object>('data'),
    /**
     * The larger of two ids: the database transaction that wrote the event, and the last one that had ended by then. So
     * the events of a transaction that waited for another's lock come after the other's.
     */
    xid: bigint('xid', { mode: 'number' })
      .notNull()
      .default(
        sql`greatest((pg_current_xact_id()::text)::bigint, (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint - 1)`,
      ),
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('events_order').on(t.merchantId, t.xid, t.seq),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    index('events_customer').on(t.merchantId, t.customerId).where(sql`customer_id is not null`),
    tenantPolicy(),
    storeOrNonePolicy(),
  ],
);

/** A merchant's address to which events are sent, signed with a secret (Standard Webhooks). */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    /** The types that are sent to it; null for all, including types of later releases. */
    eventTypes: text('event_types', { enum: eventTypes }).array(),
    /** Encrypted. */
    secret: bytes('secret').notNull(),
    /** The secret before, encrypted. Requests are signed with both until it expires. */
    previousSecret: bytes('previous_secret'),
    previousSecretUntil: instant('previous_secret_until'),
    state: text('state', { enum: endpointStates }).notNull().default('enabled'),
    /** Why the service disabled it: it accepted nothing for days, or answered 410. */
    disabledReason: text('disabled_reason', { enum: ['failing', 'gone'] }),
    disabledAt: instant('disabled_at'),
    /** Since when no delivery has succeeded; null if the last one did. */
    failingSince: instant('failing_since'),
    /** Deliveries exist for the events up to this one, by its place in the order of `events`. */
    queuedXid: bigint('queued_xid', { mode: 'number' }).notNull(),
    queuedSeq: bigint('queued_seq', { mode: 'number' }).notNull(),
    /** A worker is using the endpoint until then, so others leave it alone. */
    leasedUntil: instant('leased_until'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    check('webhook_endpoints_state', sql`${t.state} in (${listOfLiterals(endpointStates)})`),
    check(
      'webhook_endpoints_disabled',
      sql`(${t.state} = 'disabled') = (${t.disabledAt} is not null)
        and (${t.disabledAt} is null) = (${t.disabledReason} is null)`,
    ),
    check('webhook_endpoints_previous_secret', sql`(${t.previousSecret} is null) = (${t.previousSecretUntil} is null)`),
    tenantPolicy(),
  ],
);

/** One event for one endpoint, with its latest attempt. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    merchantId: merchantId(),
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    state: text('state', { enum: ['pending', 'delivered', 'failed'] })
      .notNull()
      .default('pending'),
    attempts: smallint('attempts').notNull().default(0),
    /** When it was queued, or queued again by staff: it is retried for three days from here. */
    queuedAt: instant('queued_at').notNull().defaultNow(),
    /** When a pending delivery is sent next. */
    nextAttemptAt: instant('next_attempt_at'),
    attemptedAt: instant('attempted_at'),
    /** The HTTP status of the latest attempt; null if there was no response. */
    status: smallint('status'),
    durationMs: integer('duration_ms'),
    /** The first 1,000 characters of the response's body. */
    response: text('response'),
    /** Why there was no response. */
    failure: text('failure', { enum: webhookFailures }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.endpointId, t.eventId] }),
    foreignKey({
      columns: [t.merchantId, t.endpointId],
      foreignColumns: [webhookEndpoints.merchantId, webhookEndpoints.id],
    }).onDelete('cascade'),
    foreignKey({ columns: [t.merchantId, t.eventId], foreignColumns: [events.merchantId, events.id] }).onDelete(
      'cascade',
    ),
    index('webhook_deliveries_event').on(t.merchantId, t.eventId),
    index('webhook_deliveries_pending').on(t.merchantId, t.endpointId, t.nextAttemptAt).where(sql`state = 'pending'`),
    index('webhook_deliveries_failed').on(t.merchantId, t.endpointId, t.eventId).where(sql`state = 'failed'`),
    check('webhook_deliveries_pending', sql`(${t.state} = 'pending') = (${t.nextAttemptAt} is not null)`),
    check('webhook_deliveries_response', sql`length(${t.response}) <= 1000`),
    tenantPolicy(),
  ],
);
