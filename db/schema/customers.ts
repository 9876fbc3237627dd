import { sql } from 'drizzle-orm';
import { check, date, foreignKey, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { amount, bytes, createdAt, id, instant, merchantId, tenantPolicy } from '../columns';
import { merchants } from './merchants';

export const customers = pgTable(
  'customers',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    givenName: text('given_name').notNull(),
    lastName: text('last_name').notNull(),
    /** E.164. */
    phone: text('phone'),
    email: text('email'),
    /** What addresses compare by. A column, for row-level security keeps an index on an expression from being used. */
    emailKey: text('email_key').generatedAlwaysAs(sql`lower(email)`),
    birthday: date('birthday', { mode: 'string' }),
    joinedAt: instant('joined_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('customers_phone').on(t.merchantId, t.phone),
    unique('customers_email').on(t.merchantId, t.emailKey),
    tenantPolicy(),
  ],
);

/** A customer's PIN: HMAC-SHA-256 under a key that is not in the database, and the count of wrong tries. */
export const customerPins = pgTable(
  'customer_pins',
  {
    merchantId: merchantId(),
    customerId: uuid('customer_id').notNull(),
    hash: bytes('hash').notNull(),
    /** Wrong tries in a row since the last right one, set, reset or lock. */
    failures: integer('failures').notNull().default(0),
    /** Locks in a row: each doubles the next. */
    lockouts: integer('lockouts').notNull().default(0),
    lockedUntil: instant('locked_until'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.customerId] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    tenantPolicy(),
  ],
);

const inBounds = (column: string) => sql.raw(`${column} between 0 and 99999999999`);

/**
 * What a customer holds: the sum of what remains in the lots. The row is also the lock of everything that the customer
 * owns (lots, vouchers): take it first, several in the order of their customer ids.
 */
export const balances = pgTable(
  'balances',
  {
    merchantId: merchantId(),
    customerId: uuid('customer_id').notNull(),
    principal: amount('principal').notNull().default(0),
    bonus: amount('bonus').notNull().default(0),
    points: amount('points').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.customerId] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    check('balances_principal', inBounds('principal')),
    check('balances_bonus', inBounds('bonus')),
    check('balances_points', inBounds('points')),
    tenantPolicy(),
  ],
);
