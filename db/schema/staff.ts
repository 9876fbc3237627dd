import { index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant, merchantId, tenantPolicy } from '../columns';
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
export const throttles = pgTable('throttles', {
  key: text('key').primaryKey(),
  attempts: integer('attempts').notNull(),
  resetsAt: instant('resets_at').notNull(),
});
