/** Building blocks that every table shares, so that a table says only what is its own. */
import { sql } from 'drizzle-orm';
import { bigint, customType, pgPolicy, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The tenant of a row; first in every key. */
export const merchantId = () => uuid('merchant_id').notNull();
/** A surrogate key: UUIDv7, made by the application. */
export const id = () => uuid('id').notNull();
/** Money in the currency's minor unit, or points: an integer that JavaScript holds exactly. */
export const amount = (name: string) => bigint(name, { mode: 'number' });
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
export const createdAt = () => instant('created_at').notNull().defaultNow();
/** Sorted byte by byte whatever the locale of the database, so that a range finds what begins alike. */
export const bytewiseText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** JSON of that shape. postgres.js encodes what goes into it, so that Drizzle must not, as its own `jsonb` does. */
export const json = <Data>(name: string) => customType<{ data: Data }>({ dataType: () => 'jsonb' })(name);

/** The merchant that the transaction speaks for; NULL outside `withMerchant`, so that nothing is seen. */
const currentMerchant = sql`nullif(current_setting('app.merchant_id', true), '')::uuid`;

/** Row-level security: a transaction sees and writes only the rows of its merchant. */
export const tenantPolicy = (column: 'merchant_id' | 'id' = 'merchant_id') =>
  pgPolicy('tenant', {
    using: sql`${sql.identifier(column)} = ${currentMerchant}`,
    withCheck: sql`${sql.identifier(column)} = ${currentMerchant}`,
  });
