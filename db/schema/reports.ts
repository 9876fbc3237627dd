/**
 * Sums by day, in the merchant's time zone. The worker maintains them from the booked rows (see server/domain/reports).
 */
import {
  bigint,
  date,
  foreignKey,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { amount, instant, merchantId, storePolicy, tenantPolicy } from '../kinds/columns';
import type { SaleDimension } from '../kinds/lists';
import { balancePart, transactionType } from './ledger';
import { merchants, stores } from './merchants';
import { voucherCampaigns } from './vouchers';

/** The last row of each source that the sums include. Reports read later rows from the sources. */
export const reportProgress = pgTable(
  'report_progress',
  {
    merchantId: merchantId()
      .primaryKey()
      .references(() => merchants.id),
    /** How the days are counted, as `reports_behind` writes it. When that changes, the sums are rebuilt. */
    dayRule: text('time_zone').notNull(),
    entryId: bigint('entry_id', { mode: 'number' }).notNull(),
    transactionUid: uuid('transaction_uid').notNull(),
    voidId: uuid('void_id').notNull(),
    voucherId: uuid('voucher_id').notNull(),
  },
  () => [tenantPolicy()],
);

const day = () => date('day', { mode: 'string' }).notNull();
const sum = (name: string) => amount(name).notNull();

/** Sums of ledger entries, with the entries' signs. A void counts in the column of what it reverses. */
export const ledgerDays = pgTable(
  'ledger_days',
  {
    merchantId: merchantId(),
    day: day(),
    /** Null for expiry and adjustments. */
    storeId: uuid('store_id'),
    part: balancePart('part').notNull(),
    granted: sum('granted'),
    spent: sum('spent'),
    expired: sum('expired'),
    adjusted: sum('adjusted'),
  },
  (t) => [
    unique('ledger_days_key').on(t.merchantId, t.day, t.storeId, t.part).nullsNotDistinct(),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** The transaction types that a POS records. */
export const bookedTypes = ['sale', 'topUp', 'redeemStoredValue', 'redeemPoints', 'redeemVoucher'] as const;
export type BookedType = (typeof bookedTypes)[number];

/** Count and amount of a POS's transactions. */
export const transactionDays = pgTable(
  'transaction_days',
  {
    merchantId: merchantId(),
    day: day(),
    /** Null for payments online. */
    storeId: uuid('store_id'),
    type: transactionType('type').$type<BookedType>().notNull(),
    /** What was recorded, less what was voided or refunded. */
    count: integer('count').notNull(),
    amount: sum('amount'),
    /** What was recorded, without what corrects it. Gross less net was voided or refunded. */
    grossCount: integer('gross_count').notNull().default(0),
    gross: sum('gross').default(0),
    /** When something was last recorded that counts on this day, after the day; null if nothing was. */
    changedAt: instant('changed_at'),
  },
  (t) => [
    unique('transaction_days_key').on(t.merchantId, t.day, t.storeId, t.type).nullsNotDistinct(),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** Count of a campaign's vouchers issued and redeemed, and their discounts. A void counts on the day it was made. */
export const voucherDays = pgTable(
  'voucher_days',
  {
    merchantId: merchantId(),
    day: day(),
    campaignId: uuid('campaign_id').notNull(),
    issued: integer('issued').notNull(),
    redeemed: integer('redeemed').notNull(),
    discount: sum('discount'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.day, t.campaignId] }),
    foreignKey({
      columns: [t.merchantId, t.campaignId],
      foreignColumns: [voucherCampaigns.merchantId, voucherCampaigns.id],
    }),
    tenantPolicy(),
  ],
);

/** What remains of credit, by the day it was given and the day it expires: sums of ledger entries by lot. */
export const creditDays = pgTable(
  'credit_days',
  {
    merchantId: merchantId(),
    part: balancePart('part').notNull(),
    grantedOn: date('granted_on', { mode: 'string' }).notNull(),
    /** The last day on which it can be spent; null if it never expires. */
    expiresOn: date('expires_on', { mode: 'string' }),
    remaining: sum('remaining'),
  },
  (t) => [
    unique('credit_days_key').on(t.merchantId, t.part, t.grantedOn, t.expiresOn).nullsNotDistinct(),
    tenantPolicy(),
  ],
);

/** Sums of sales by item (PLU), hour, payment method, the POS's staff and source. */
export const saleDays = pgTable(
  'sale_days',
  {
    merchantId: merchantId(),
    /** A text, because row-level security prevents the use of an index on enums. */
    dimension: text('dimension').$type<SaleDimension>().notNull(),
    day: day(),
    storeId: uuid('store_id').notNull(),
    /** The PLU, hour (`00` to `23`), method, source, or the POS's id of the staff member (empty if it sent none). */
    key: text('key').notNull(),
    /** The item's name on the bill. */
    label: text('label').notNull(),
    /** Items sold, or bills. */
    quantity: numeric('quantity', { precision: 16, scale: 3, mode: 'number' }).notNull(),
    amount: sum('amount'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.dimension, t.day, t.storeId, t.key, t.label] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);
