/** Tables, what their diners ask of staff, and what a merchant offers them on their phones. */
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, instant, listOfLiterals, merchantId, storePolicy, tenantPolicy } from '../kinds/columns';
import { tableCallKinds, tableCardPages } from '../kinds/lists';
import { merchants, stores } from './merchants';
import { qrCodes } from './ordering';
import { users } from './staff';

/** What diners' pages offer. A merchant without a row has the default settings. */
export const orderingSettings = pgTable(
  'ordering_settings',
  {
    merchantId: merchantId()
      .primaryKey()
      .references(() => merchants.id),
    /** Whether diners may redeem vouchers, points and stored value on a bill themselves. */
    redeemsOnBill: boolean('redeems_on_bill').notNull().default(true),
    /** Whether diners may pay a bill by card. It also needs the payment service. */
    cardOnBill: boolean('card_on_bill').notNull().default(true),
    /** How long diners may take back what they redeemed on a bill. 0: never. */
    takeBackMinutes: smallint('take_back_minutes').notNull().default(2),
    /** Tips to choose from, in percent. Empty: no tips. */
    tipPercentages: smallint('tip_percentages').array().notNull().default([]),
    ordersAgain: boolean('orders_again').notNull().default(true),
    showsPopular: boolean('shows_popular').notNull().default(true),
    filtersDiets: boolean('filters_diets').notNull().default(true),
    callsStaff: boolean('calls_staff').notNull().default(true),
    estimatesWait: boolean('estimates_wait').notNull().default(true),
    /** What a table's card opens if no bill is open: the menu to read, or a new bill that staff confirm. */
    tableCardPage: text('table_card_page', { enum: tableCardPages }).notNull().default('menu'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check(
      'ordering_settings_tips',
      sql`cardinality(${t.tipPercentages}) <= 4 and 0 < all (${t.tipPercentages}) and 50 >= all (${t.tipPercentages})`,
    ),
    check('ordering_settings_take_back', sql`${t.takeBackMinutes} between 0 and 60`),
    check('ordering_settings_table_card_page', sql`${t.tableCardPage} in (${listOfLiterals(tableCardPages)})`),
    tenantPolicy(),
  ],
);

/** A table of a store, and the code on its permanent card. */
export const diningTables = pgTable(
  'dining_tables',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    storeId: uuid('store_id').notNull(),
    /** The table's name on the till. */
    name: text('name').notNull(),
    /** For example `Terrace`; empty if the store has only one area. */
    area: text('area').notNull().default(''),
    seats: integer('seats'),
    /** Its place among the store's tables, as staff arranged them. Null: after those, by area and name. */
    position: integer('position'),
    /** SHA-256 of the token in its URL, which is derived from a secret and `cardNumber`. */
    tokenHash: bytes('token_hash').notNull().unique('dining_tables_token'),
    /** Counts the cards that were replaced. Each has its own token. */
    cardNumber: integer('card_number').notNull().default(1),
    createdAt: createdAt(),
    removedAt: instant('removed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    uniqueIndex('dining_tables_name').on(t.merchantId, t.storeId, t.name).where(sql`removed_at is null`),
    index('dining_tables_store').on(t.merchantId, t.storeId, t.id),
    check('dining_tables_seats', sql`${t.seats} between 1 and 1000`),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** A diner's call for staff or for the bill. One call of a kind waits at a time. */
export const tableCalls = pgTable(
  'table_calls',
  {
    merchantId: merchantId(),
    id: id(),
    storeId: uuid('store_id').notNull(),
    /** Where the call came from: a bill's code, or a table's card. */
    qrCodeId: uuid('qr_code_id'),
    tableId: uuid('table_id'),
    kind: text('kind', { enum: tableCallKinds }).notNull(),
    createdAt: createdAt(),
    answeredAt: instant('answered_at'),
    /** Null if the diner withdrew it, or the till settled the bill. */
    answeredBy: uuid('answered_by').references(() => users.id),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({ columns: [t.merchantId, t.qrCodeId], foreignColumns: [qrCodes.merchantId, qrCodes.id] }),
    foreignKey({ columns: [t.merchantId, t.tableId], foreignColumns: [diningTables.merchantId, diningTables.id] }),
    uniqueIndex('table_calls_of_code').on(t.merchantId, t.qrCodeId, t.kind).where(sql`answered_at is null`),
    uniqueIndex('table_calls_of_table').on(t.merchantId, t.tableId, t.kind).where(sql`answered_at is null`),
    index('table_calls_waiting').on(t.merchantId, t.storeId, t.id).where(sql`answered_at is null`),
    check('table_calls_kind', sql`${t.kind} in (${listOfLiterals(tableCallKinds)})`),
    check('table_calls_subject', sql`num_nonnulls(${t.qrCodeId}, ${t.tableId}) = 1`),
    check('table_calls_answered', sql`${t.answeredBy} is null or ${t.answeredAt} is not null`),
    tenantPolicy(),
    storePolicy(),
  ],
);
