import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  bytes,
  createdAt,
  id,
  instant,
  merchantId,
  peoplePolicies,
  personPolicy,
  sharedPolicy,
  storePolicy,
  tenantPolicy,
} from '../kinds/columns';
import { merchants, stores } from './merchants';

/** A person who signs in to the back office. Belongs to no merchant, because one person may work for several. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** Lower case. */
    email: text('email').notNull().unique('users_email'),
    name: text('name').notNull(),
    /** argon2id. */
    passwordHash: text('password_hash').notNull(),
    /** Incremented to sign out everywhere. */
    sessionVersion: integer('session_version').notNull().default(1),
    /** The language of mails to the person, from the last sign-in in a known browser; null before the first. */
    language: text('language').$type<'en' | 'zh' | 'ja' | 'ms'>(),
    createdAt: createdAt(),
  },
  peoplePolicies,
);

/** A person's session in a browser. The row is deleted when the session ends. */
export const staffSessions = pgTable(
  'staff_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the token in the browser's cookie. The token is not stored. */
    tokenHash: bytes('token_hash').notNull().unique('staff_sessions_token'),
    /** The user's session version when the password was checked. Any increment ends the session. */
    sessionVersion: integer('session_version').notNull(),
    /** For example `Chrome · Windows`; empty if unknown. */
    browser: text('browser').notNull(),
    /** The client's network, such as `203.0.113.0/24`, instead of its address. */
    network: text('network').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Written at most every few minutes. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /**
     * When the person last proved who they are in this session, including any second step. NULL while the session waits
     * for the second step: until then it opens nothing.
     */
    confirmedAt: instant('confirmed_at'),
    /** Regardless of use. */
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('staff_sessions_user').on(t.userId, t.lastSeenAt),
    index('staff_sessions_last_seen').on(t.lastSeenAt),
    personPolicy(),
  ],
);

export const staffRole = pgEnum('staff_role', ['owner', 'manager', 'cashier']);

export const memberships = pgTable(
  'memberships',
  {
    merchantId: merchantId().references(() => merchants.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: staffRole('role').notNull(),
    /** The language of the daily summary by e-mail; null for someone who does not get it. */
    summaryLanguage: text('summary_language').$type<'en' | 'zh' | 'ja' | 'ms'>(),
    /** The last day whose summary was sent, or which ended before the summary was turned on. */
    summarizedUntil: date('summarized_until', { mode: 'string' }),
    /** False for someone who works for the stores in `membership_stores` only. */
    allStores: boolean('all_stores').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.userId] }),
    index('memberships_user').on(t.userId),
    check('memberships_summary', sql`(${t.summaryLanguage} is null) = (${t.summarizedUntil} is null)`),
    // Owners run the whole business, and the summary covers all stores.
    check('memberships_stores', sql`${t.allStores} or (${t.role} <> 'owner' and ${t.summaryLanguage} is null)`),
    tenantPolicy(),
  ],
);

/** The stores of a member of staff who does not work for all. */
export const membershipStores = pgTable(
  'membership_stores',
  {
    merchantId: merchantId(),
    userId: uuid('user_id').notNull(),
    storeId: uuid('store_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.userId, t.storeId] }),
    foreignKey({
      columns: [t.merchantId, t.userId],
      foreignColumns: [memberships.merchantId, memberships.userId],
    }).onDelete('cascade'),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** Counters of failed attempts, shared by all instances. The key is a hash: no address is stored. */
export const throttles = pgTable(
  'throttles',
  {
    key: text('key').primaryKey(),
    attempts: integer('attempts').notNull(),
    resetsAt: instant('resets_at').notNull(),
  },
  (t) => [index('throttles_resets_at').on(t.resetsAt), sharedPolicy()],
);

/**
 * Token buckets of the rate limits, shared by all instances. Unlogged: after a crash all buckets are full. A bucket's
 * name is a hash: no address is stored.
 */
export const rateBuckets = pgTable(
  'rate_buckets',
  {
    bucket: text('bucket').primaryKey(),
    tokens: doublePrecision('tokens').notNull(),
    refilledAt: timestamp('refilled_at', { withTimezone: true, mode: 'date' }).notNull(),
    /** When the bucket is full again if nothing takes from it. From then on the row has no effect. */
    fullAt: timestamp('full_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [
    pgPolicy('anyone_reads', { for: 'select', using: sql`true` }),
    pgPolicy('full_ones_end', { for: 'delete', using: sql`${t.fullAt} <= now()` }),
  ],
);

/**
 * A person invited by a link. The row is deleted when the invitation is accepted or revoked; the audit log records it.
 */
export const invitations = pgTable(
  'invitations',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** Lower case. */
    email: text('email').notNull(),
    role: staffRole('role').notNull(),
    /** SHA-256 of the link's token. The token is not stored. */
    tokenHash: bytes('token_hash').notNull(),
    /** The latest e-mail with the link. It may be deleted before the invitation. */
    mailId: uuid('mail_id').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** False for someone who is to work for the stores in `invitation_stores` only. */
    allStores: boolean('all_stores').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('invitations_email').on(t.merchantId, t.email),
    unique('invitations_token').on(t.tokenHash),
    check('invitations_stores', sql`${t.allStores} or ${t.role} <> 'owner'`),
    tenantPolicy(),
  ],
);

/** The stores that an invitation names. */
export const invitationStores = pgTable(
  'invitation_stores',
  {
    merchantId: merchantId(),
    invitationId: uuid('invitation_id').notNull(),
    storeId: uuid('store_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.invitationId, t.storeId] }),
    foreignKey({
      columns: [t.merchantId, t.invitationId],
      foreignColumns: [invitations.merchantId, invitations.id],
    }).onDelete('cascade'),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** A link to choose a new password. The row is deleted when it is used. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 of the link's token. The token is not stored. */
    tokenHash: bytes('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The user's session version when the link was created. Any increment invalidates the link. */
    sessionVersion: integer('session_version').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('password_resets_expires_at').on(t.expiresAt), personPolicy()],
);
