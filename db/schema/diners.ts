import { sql } from 'drizzle-orm';
import { check, foreignKey, index, pgTable, primaryKey, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, instant, merchantId, tenantPolicy } from '../kinds/columns';
import { customers } from './customers';
import { merchants } from './merchants';

/**
 * The last code sent to a phone. The row is deleted when the code is used. Until then, it is the lock for all attempts.
 */
export const dinerCodes = pgTable(
  'diner_codes',
  {
    merchantId: merchantId().references(() => merchants.id),
    /** E.164. */
    phone: text('phone').notNull(),
    /** The id of this code. Its hash is bound to the id. */
    id: id(),
    /** A salted hash, sealed with a key that is not in the database. */
    hash: bytes('hash').notNull(),
    /** Wrong attempts. */
    failures: smallint('failures').notNull().default(0),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.phone] }),
    index('diner_codes_expiry').on(t.expiresAt),
    check('diner_codes_failures', sql`${t.failures} between 0 and 5`),
    tenantPolicy(),
  ],
);

/** A phone that is signed in with a merchant. The row is deleted when the session ends. */
export const dinerSessions = pgTable(
  'diner_sessions',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** SHA-256 of the cookie's token, which is not stored. */
    tokenHash: bytes('token_hash').notNull(),
    /** E.164. */
    phone: text('phone').notNull(),
    /** Null until the diner joins the programme. */
    customerId: uuid('customer_id'),
    /** When the diner last proved possession of the phone. */
    verifiedAt: instant('verified_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    unique('diner_sessions_token').on(t.merchantId, t.tokenHash),
    index('diner_sessions_customer').on(t.merchantId, t.customerId),
    index('diner_sessions_phone').on(t.merchantId, t.phone),
    index('diner_sessions_expiry').on(t.expiresAt),
    tenantPolicy(),
  ],
);
