import {
  doublePrecision,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, instant, merchantId, tenantPolicy } from '../columns';
import { merchants } from './merchants';

/** A person who signs in to the back office; may work for several merchants, so it belongs to none. */
export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  /** Lower case. */
  email: text('email').notNull().unique('users_email'),
  name: text('name').notNull(),
  /** argon2id. */
  passwordHash: text('password_hash').notNull(),
  /** Raised to sign out everywhere. */
  sessionVersion: integer('session_version').notNull().default(1),
  createdAt: createdAt(),
});

export const staffRole = pgEnum('staff_role', ['owner', 'manager', 'cashier']);

export const memberships = pgTable(
  'memberships',
  {
    merchantId: merchantId().references(() => merchants.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: staffRole('role').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.userId] }), index('memberships_user').on(t.userId), tenantPolicy()],
);

/** Counters that slow guessing down, shared by all instances. The key is a hash: no address is kept. */
export const throttles = pgTable(
  'throttles',
  {
    key: text('key').primaryKey(),
    attempts: integer('attempts').notNull(),
    resetsAt: instant('resets_at').notNull(),
  },
  (t) => [index('throttles_resets_at').on(t.resetsAt)],
);

/**
 * How many requests may come now, from whom each bucket is for; all instances take from it. Unlogged: after a crash all
 * are full again. A bucket's name is a hash: no address is kept.
 */
export const rateBuckets = pgTable('rate_buckets', {
  bucket: text('bucket').primaryKey(),
  tokens: doublePrecision('tokens').notNull(),
  refilledAt: timestamp('refilled_at', { withTimezone: true, mode: 'date' }).notNull(),
  /** When it is as full as it gets, if nobody takes: from then on the row says nothing. */
  fullAt: timestamp('full_at', { withTimezone: true, mode: 'date' }).notNull(),
});

/** Somebody who may join by a link. The row goes when the invitation is accepted or revoked; the audit log says so. */
export const invitations = pgTable(
  'invitations',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** Lower case. */
    email: text('email').notNull(),
    role: staffRole('role').notNull(),
    /** SHA-256 of the link's token, which nobody keeps. */
    tokenHash: bytes('token_hash').notNull(),
    /** The mail that the link was last sent by; it is not kept as long. */
    mailId: uuid('mail_id').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('invitations_email').on(t.merchantId, t.email),
    unique('invitations_token').on(t.tokenHash),
    tenantPolicy(),
  ],
);

/** A link to choose a new password by. The row goes when it is used. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 of the link's token, which nobody keeps. */
    tokenHash: bytes('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The person's when the link was made: whatever raises it ends the link. */
    sessionVersion: integer('session_version').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('password_resets_expires_at').on(t.expiresAt)],
);
