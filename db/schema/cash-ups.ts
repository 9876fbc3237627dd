/** What was counted of the money that staff took and paid out at the counter. Nothing of it is ever changed. */
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { amount, createdAt, id, instant, merchantId, parentPolicy, storePolicy, tenantPolicy } from '../kinds/columns';
import { paymentMethods } from '../kinds/lists';
import { transactions } from './ledger';
import { stores } from './merchants';
import { users } from './staff';

/** The end of a shift in a store. A correction replaces an earlier cash-up, and is counted for the same shift. */
export const cashUps = pgTable(
  'cash_ups',
  {
    merchantId: merchantId(),
    id: id(),
    storeId: uuid('store_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The shift starts where the one before it ended; the first one, with the business day. */
    since: instant('since').notNull(),
    until: instant('until').notNull(),
    replacesId: uuid('replaces_id'),
    reason: text('reason'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({
      columns: [t.merchantId, t.replacesId],
      foreignColumns: [t.merchantId as AnyPgColumn, t.id as AnyPgColumn],
    }),
    uniqueIndex('cash_ups_of_shift').on(t.merchantId, t.storeId, t.since).where(sql`replaces_id is null`),
    unique('cash_ups_replaced').on(t.merchantId, t.replacesId),
    index('cash_ups_store').on(t.merchantId, t.storeId, t.until),
    check('cash_ups_reason', sql`(${t.replacesId} is null) = (${t.reason} is null)`),
    check('cash_ups_shift', sql`${t.since} < ${t.until}`),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** What was expected and counted of a payment method, in minor units. */
export const cashUpCounts = pgTable(
  'cash_up_counts',
  {
    merchantId: merchantId(),
    cashUpId: uuid('cash_up_id').notNull(),
    paymentMethod: text('payment_method', { enum: paymentMethods }).notNull(),
    expected: amount('expected').notNull(),
    counted: amount('counted').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.cashUpId, t.paymentMethod] }),
    foreignKey({ columns: [t.merchantId, t.cashUpId], foreignColumns: [cashUps.merchantId, cashUps.id] }),
    tenantPolicy(),
    parentPolicy('cash_ups.id', 'cash_up_counts.cash_up_id'),
  ],
);

/** The transactions of a shift, and their voids. Each counts in one cash-up only. */
export const cashUpEntries = pgTable(
  'cash_up_entries',
  {
    merchantId: merchantId(),
    transactionUid: uuid('transaction_uid').notNull(),
    isVoid: boolean('is_void').notNull(),
    cashUpId: uuid('cash_up_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.transactionUid, t.isVoid] }),
    index('cash_up_entries_cash_up').on(t.merchantId, t.cashUpId),
    foreignKey({ columns: [t.merchantId, t.cashUpId], foreignColumns: [cashUps.merchantId, cashUps.id] }),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    tenantPolicy(),
    parentPolicy('cash_ups.id', 'cash_up_entries.cash_up_id'),
  ],
);
