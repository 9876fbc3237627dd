/** What people prove a sign-in with, besides the password. */
import { integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, personPolicy } from '../columns';
import { users } from './staff';

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id);

/** A person's authenticator app. */
export const authenticators = pgTable(
  'authenticators',
  {
    userId: userId().primaryKey(),
    /** The secret that the app shares, encrypted. */
    secret: bytes('secret').notNull(),
    /** The 30 seconds of the last code that was accepted, counted from 1970. A code of them or of earlier ones is refused. */
    lastStep: integer('last_step').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  () => [personPolicy()],
);

/** Codes for a person who has lost their device. A row is deleted when its code is used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userId(),
    /** SHA-256 of a random code, which nobody keeps. */
    codeHash: bytes('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] }), personPolicy()],
);
