import { sql } from 'drizzle-orm';
import {
  check,
  cidr,
  date,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  amount,
  bytes,
  createdAt,
  id,
  instant,
  listOfLiterals,
  merchantId,
  storeOrNonePolicy,
  tenantPolicy,
} from '../kinds/columns';
import { formerKeyScopes, keyScopes, maxKeyNetworks } from '../kinds/lists';
import { merchants, stores } from './merchants';

export const apiEnvironment = pgEnum('api_environment', ['sandbox', 'live']);

/** A POS's API key. The key itself is shown once; only its SHA-256 and last four characters are stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** The store that the key is bound to; null for a merchant-wide key. */
    storeId: uuid('store_id'),
    name: text('name').notNull(),
    environment: apiEnvironment('environment').notNull(),
    hash: bytes('hash').notNull().unique('api_keys_hash'),
    lastFour: text('last_four').notNull(),
    /** For the release before, which reads it instead of `scopes`: see `key-access.ts`. */
    scope: text('scope', { enum: formerKeyScopes }).notNull().default('all'),
    /** What the key may do besides reading. Null as `scope` says. */
    scopes: text('scopes', { enum: keyScopes }).array(),
    /** The networks from which the key works; empty for any network. */
    networks: cidr('networks').array().notNull().default([]),
    /** The rate limit: sustained requests per second, and the burst above it. */
    ratePerSecond: integer('rate_per_second').notNull().default(50),
    rateBurst: integer('rate_burst').notNull().default(100),
    /** How many customers it has enrolled on its last day of enrolments, the merchant's `signUpsOn`. */
    signUps: integer('sign_ups').notNull().default(0),
    signUpsOn: date('sign_ups_on'),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    check('api_keys_rate', sql`${t.ratePerSecond} between 1 and 50000 and ${t.rateBurst} between 1 and 50000`),
    check('api_keys_scope', sql`${t.scope} in (${listOfLiterals(formerKeyScopes)})`),
    check(
      'api_keys_scopes',
      sql`${t.scopes} <@ array[${listOfLiterals(keyScopes)}]
        and (${t.storeId} is null or not ${t.scopes} @> array['webhooks'])`,
    ),
    check('api_keys_networks', sql`cardinality(${t.networks}) <= ${sql.raw(String(maxKeyNetworks))}`),
    tenantPolicy(),
    storeOrNonePolicy(),
  ],
);

/**
 * What a key gave to customers on one of the merchant's days, with the limits of its last transaction. Exceeding a
 * limit violates a CHECK, also for concurrent transactions.
 */
export const apiKeyDays = pgTable(
  'api_key_days',
  {
    merchantId: merchantId(),
    apiKeyId: uuid('api_key_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    points: amount('points').notNull(),
    value: amount('value').notNull(),
    pointsLimit: amount('points_limit'),
    valueLimit: amount('value_limit'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.apiKeyId, t.day] }),
    foreignKey({ columns: [t.merchantId, t.apiKeyId], foreignColumns: [apiKeys.merchantId, apiKeys.id] }),
    check('api_key_days_points', sql`${t.points} <= ${t.pointsLimit}`),
    check('api_key_days_value', sql`${t.value} <= ${t.valueLimit}`),
    tenantPolicy(),
  ],
);

/**
 * A key's requests of the last 30 days. Its newest request is kept for good. No personal data: neither path nor body.
 */
export const apiRequests = pgTable(
  'api_requests',
  {
    merchantId: merchantId(),
    apiKeyId: uuid('api_key_id').notNull(),
    /** Sorts by time (UUIDv7). */
    id: id(),
    /** Null if the request matched no operation. */
    operation: text('operation'),
    status: smallint('status').notNull(),
    errorCode: text('error_code'),
    durationMs: real('duration_ms').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.apiKeyId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.apiKeyId], foreignColumns: [apiKeys.merchantId, apiKeys.id] }),
    index('api_requests_refused').on(t.merchantId, t.apiKeyId, t.id).where(sql`status between 400 and 499`),
    index('api_requests_failed').on(t.merchantId, t.apiKeyId, t.id).where(sql`status >= 500`),
    tenantPolicy(),
  ],
);
