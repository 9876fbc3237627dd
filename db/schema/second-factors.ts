/** What people prove a sign-in with, besides the password. */
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, personPolicy } from '../kinds/columns';
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

/** A person's passkeys. Each proves by itself who is there: the device checks its holder. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    name: text('name').notNull(),
    /** What the device calls it. */
    credentialId: bytes('credential_id').notNull().unique('passkeys_credential'),
    publicKey: bytes('public_key').notNull(),
    /** How often the device says that it was used; stays 0 for one that is synced. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** Other devices of the person have it, too. */
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (t) => [index('passkeys_user').on(t.userId), personPolicy()],
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
