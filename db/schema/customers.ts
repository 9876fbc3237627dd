import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { amount, bytes, bytewiseText, createdAt, id, instant, json, merchantId, tenantPolicy } from '../columns';
import { type dateOrders, type importFields, importProblems } from '../lists';
import { merchants } from './merchants';
import { users } from './staff';

/** What names sort by: without accents and case. The cut keeps it short enough for an index and a cursor. */
const nameKey = sql.raw(
  `left(lower(regexp_replace(normalize(given_name || ' ' || last_name, NFKD), '[\\u0300-\\u036f]', '', 'g')), 80)`,
);

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
    nameKey: bytewiseText('name_key').notNull().generatedAlwaysAs(nameKey),
    birthday: date('birthday', { mode: 'string' }),
    /** Month and day, 1 March as 301: what a birthday's vouchers are found by. */
    birthDay: smallint('birth_day').generatedAlwaysAs(
      sql`extract(month from birthday) * 100 + extract(day from birthday)`,
    ),
    /** In which the customer reads our pages, and is written to: `en`, `zh`, `ja`, `ms`; null where that is not known. */
    language: text('language'),
    /** Since when the customer wants no notices. */
    messagesOptedOutAt: instant('messages_opted_out_at'),
    joinedAt: instant('joined_at').notNull(),
    /** Since when nothing personal is known any more: for ever. */
    erasedAt: instant('erased_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('customers_name').on(t.merchantId, t.nameKey, t.id),
    index('customers_joined').on(t.merchantId, t.joinedAt, t.id),
    index('customers_birth_day').on(t.merchantId, t.birthDay, t.id).where(sql`birth_day is not null`),
    unique('customers_phone').on(t.merchantId, t.phone),
    unique('customers_email').on(t.merchantId, t.emailKey),
    tenantPolicy(),
  ],
);

/**
 * What a customer is searched by, as a range of terms: the name from each of its words on, the e-mail address, the phone's
 * digits with and without the country's, and backwards (see server/domain/customers/search.ts). Kept by triggers alone.
 */
export const customerTerms = pgTable(
  'customer_terms',
  {
    merchantId: merchantId(),
    term: bytewiseText('term').notNull(),
    customerId: uuid('customer_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.term, t.customerId] }), tenantPolicy()],
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

/**
 * Far above what a top-up or a sale may make of it, for a void brings back what was spent before others were granted. Still
 * safe integers: principal and bonus together, and points at their greatest worth.
 */
const inBounds = (column: 'principal' | 'bonus' | 'points', most: bigint) => sql.raw(`${column} between 0 and ${most}`);

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
    /** Whether there is stored value: a column, so that spending part of it touches no index. */
    holdsValue: boolean('holds_value').generatedAlwaysAs(sql`principal + bonus > 0`),
    /** While it is set, the customer can neither top up nor redeem. */
    blockedAt: instant('blocked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.customerId] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    index('balances_holding').on(t.merchantId, t.customerId).where(sql`holds_value`),
    index('balances_blocked').on(t.merchantId, t.customerId).where(sql`blocked_at is not null`),
    check('balances_principal', inBounds('principal', 1_000_000_000_000_000n)),
    check('balances_bonus', inBounds('bonus', 1_000_000_000_000_000n)),
    check('balances_points', inBounds('points', 900_000_000_000n)),
    tenantPolicy(),
  ],
);

/** Which column of a file, from 0 on, holds what, and how the file writes birthdays. */
interface ImportMapping {
  columns: Partial<Record<(typeof importFields)[number], number>>;
  dateOrder: (typeof dateOrders)[number];
}

export const customerImportState = pgEnum('customer_import_state', ['uploading', 'ready', 'running', 'finished']);

/** Customers from a file: how far the import has come, so that going on with it enrols nobody twice. */
export const customerImports = pgTable(
  'customer_imports',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    fileName: text('file_name').notNull(),
    state: customerImportState('state').notNull(),
    /** The headings of the file's columns. */
    headings: text('headings').array().notNull(),
    /** Since it was started. */
    mapping: json<ImportMapping>('mapping'),
    rowCount: integer('row_count').notNull().default(0),
    /** Rows up to this one are done; the first is 2, as in a spreadsheet with its headings. */
    doneThrough: integer('done_through').notNull().default(1),
    enrolledCount: integer('enrolled_count').notNull().default(0),
    problemCount: integer('problem_count').notNull().default(0),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('customer_imports_open').on(t.updatedAt).where(sql`finished_at is null`),
    check('customer_imports_started', sql`(${t.state} in ('running', 'finished')) = (${t.startedAt} is not null)`),
    check('customer_imports_finished', sql`(${t.state} = 'finished') = (${t.finishedAt} is not null)`),
    tenantPolicy(),
  ],
);

/** The rows of a file that are not customers: not yet, or for what is wrong with them. */
export const customerImportRows = pgTable(
  'customer_import_rows',
  {
    merchantId: merchantId(),
    importId: uuid('import_id').notNull(),
    rowNumber: integer('row_number').notNull(),
    cells: text('cells').array().notNull(),
    /** Null until it was tried. */
    problems: text('problems', { enum: importProblems }).array(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.importId, t.rowNumber] }),
    foreignKey({
      columns: [t.merchantId, t.importId],
      foreignColumns: [customerImports.merchantId, customerImports.id],
    }),
    tenantPolicy(),
  ],
);
