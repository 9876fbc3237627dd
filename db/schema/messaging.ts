import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, instant, merchantId, tenantPolicy } from '../columns';
import { customers } from './customers';

/** `inbox`: not sent anywhere, but shown in the sandbox's inbox. */
export const messageState = pgEnum('message_state', ['queued', 'sent', 'delivered', 'read', 'failed', 'inbox']);

/** A message to a customer. Its row is written with what it tells of; a worker delivers it. */
export const messages = pgTable(
  'messages',
  {
    merchantId: merchantId(),
    id: id(),
    customerId: uuid('customer_id').notNull(),
    kind: text('kind').notNull(),
    channel: text('channel').notNull(),
    state: messageState('state').notNull().default('queued'),
    /** The code that it carries, encrypted; erased once it was sent. */
    secret: bytes('secret'),
    attempts: smallint('attempts').notNull().default(0),
    /** The messenger's id of it, by which its receipts are told apart. */
    providerId: text('provider_id'),
    failure: text('failure'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    // One for each state: under row-level security an index can not be searched by an enum, but be chosen by it.
    ...messageState.enumValues.map((state) =>
      index(`messages_${state}`)
        .on(t.merchantId, t.id)
        .where(sql.raw(`state = '${state}'`)),
    ),
    index('messages_customer').on(t.merchantId, t.customerId, t.id),
    uniqueIndex('messages_provider_id').on(t.providerId),
    check('messages_secret', sql`${t.state} in ('queued', 'inbox') or ${t.secret} is null`),
    tenantPolicy(),
  ],
);
