/** What people use besides the password to prove who they are. */
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
    /**
     * The 30-second step, counted from 1970, of the last accepted code. Codes of this and earlier steps are refused.
     */
    lastStep: integer('last_step').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  () => [personPolicy()],
);

/** A person's passkeys. A passkey needs no password: the device checks its holder. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    name: text('name').notNull(),
    /** The device's id for it. */
    credentialId: bytes('credential_id').notNull().unique('passkeys_credential'),
    publicKey: bytes('public_key').notNull(),
    /** The device's count of its uses. It stays 0 for a synced passkey. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** True if other devices of the person have it, too. */
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (t) => [index('passkeys_user').on(t.userId), personPolicy()],
);

/** Codes for a person who has lost their device. Using one deletes its row. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userId(),
    /** SHA-256 of a random code, which is not stored. */
    codeHash: bytes('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] }), personPolicy()],
);
