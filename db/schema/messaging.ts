import { sql } from 'drizzle-orm';
import {
  boolean,
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
import { bytes, createdAt, id, instant, json, merchantId, tenantPolicy } from '../kinds/columns';
import { menuLanguages, noticeKinds } from '../kinds/lists';
import { customers } from './customers';
import { merchants } from './merchants';

/** `inbox`: not sent, but shown in the sandbox's inbox. */
export const messageState = pgEnum('message_state', ['queued', 'sent', 'delivered', 'read', 'failed', 'inbox']);

/** Codes that a customer requests. For other messages see `noticeKinds`. */
export const codeKinds = ['pin', 'code'] as const;

/** A sentence of the domain, by its key, with the values of its gaps. */
interface Sentence {
  key: string;
  values: Record<string, unknown>;
}

/**
 * A message to a customer or an unknown phone. Its row is written in the same transaction as the event it reports; a
 * worker delivers it.
 */
export const messages = pgTable(
  'messages',
  {
    merchantId: merchantId(),
    id: id(),
    customerId: uuid('customer_id'),
    /** E.164, for a recipient who is no customer. */
    phone: text('phone'),
    kind: text('kind', { enum: [...codeKinds, ...noticeKinds] }).notNull(),
    channel: text('channel').notNull(),
    state: messageState('state').notNull().default('queued'),
    /**
     * What a notice is about, unique per customer: a voucher's id, the expiry time of value, a top-up's uid, a bill's
     * version.
     */
    subject: text('subject'),
    /** When a notice is sent or retried. */
    dueAt: instant('due_at'),
    /** The code in the message, or its text for the sandbox's inbox. Encrypted, and erased once sent. */
    secret: bytes('secret'),
    attempts: smallint('attempts').notNull().default(0),
    /** The messenger's id for the message, which delivery receipts refer to. */
    providerId: text('provider_id'),
    /** Why it was not sent, or not yet. */
    failure: json<Sentence>('failure'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    // One index per state: under row-level security an enum cannot be an index's search key, but can be its predicate.
    ...messageState.enumValues.map((state) =>
      index(`messages_${state}`)
        .on(t.merchantId, t.id)
        .where(sql.raw(`state = '${state}'`)),
    ),
    index('messages_customer').on(t.merchantId, t.customerId, t.id),
    index('messages_phone').on(t.merchantId, t.phone, t.id).where(sql`phone is not null`),
    // Old messages are searched merchant by merchant, because each may have its own clock.
    index('messages_stranger').on(t.merchantId, t.createdAt).where(sql`phone is not null`),
    index('messages_undelivered').on(t.merchantId, t.createdAt).where(sql`state = 'queued' and due_at is null`),
    uniqueIndex('messages_provider_id').on(t.providerId),
    uniqueIndex('messages_subject').on(t.merchantId, t.customerId, t.kind, t.subject).where(sql`subject is not null`),
    index('messages_due').on(t.merchantId, t.dueAt).where(sql`state = 'queued' and due_at is not null`),
    check('messages_notice', sql`(${t.subject} is null) = (${t.dueAt} is null)`),
    check('messages_recipient', sql`num_nonnulls(${t.customerId}, ${t.phone}) = 1`),
    check('messages_secret', sql`${t.state} in ('queued', 'inbox') or ${t.secret} is null`),
    tenantPolicy(),
  ],
);

/**
 * A merchant's text for a kind of notice in a language, as the messenger approved it. The messenger identifies it by
 * name.
 */
export const messageTemplates = pgTable(
  'message_templates',
  {
    merchantId: merchantId().references(() => merchants.id),
    kind: text('kind', { enum: noticeKinds }).notNull(),
    language: text('language', { enum: menuLanguages }).notNull(),
    templateName: text('template_name').notNull(),
    /** With `{placeholders}`. */
    body: text('body').notNull(),
    isOn: boolean('is_on').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.kind, t.language] }), tenantPolicy()],
);
