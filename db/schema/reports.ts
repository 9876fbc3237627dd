/** Sums by day, in the merchant's time zone: kept by the worker from what is booked (see server/domain/reports). */
import { bigint, date, foreignKey, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { amount, merchantId, tenantPolicy } from '../columns';
import { balancePart, transactionType } from './ledger';
import { merchants, stores } from './merchants';
import { voucherCampaigns } from './vouchers';

/** Up to which row of each source the sums reach; what comes behind is read as it stands. */
export const reportProgress = pgTable(
  'report_progress',
  {
    merchantId: merchantId()
      .primaryKey()
      .references(() => merchants.id),
    /** The time zone that the days were cut in: when it changes, they are summed up again. */
    timeZone: text('time_zone').notNull(),
    entryId: bigint('entry_id', { mode: 'number' }).notNull(),
    transactionUid: uuid('transaction_uid').notNull(),
    voidId: uuid('void_id').notNull(),
    voucherId: uuid('voucher_id').notNull(),
  },
  () => [tenantPolicy()],
);

const day = () => date('day', { mode: 'string' }).notNull();
const sum = (name: string) => amount(name).notNull();

/** What the ledger's entries come to; each sum is signed as they are. */
export const ledgerDays = pgTable(
  'ledger_days',
  {
    merchantId: merchantId(),
    day: day(),
    /** Null for what no store did: expiry and adjustments. */
    storeId: uuid('store_id'),
    part: balancePart('part').notNull(),
    granted: sum('granted'),
    spent: sum('spent'),
    voided: sum('voided'),
    expired: sum('expired'),
    adjusted: sum('adjusted'),
  },
  (t) => [
    unique('ledger_days_key').on(t.merchantId, t.day, t.storeId, t.part).nullsNotDistinct(),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
  ],
);

/** The types of transactions that a POS books. */
export const bookedTypes = ['sale', 'topUp', 'redeemStoredValue', 'redeemPoints', 'redeemVoucher'] as const;
export type BookedType = (typeof bookedTypes)[number];

/** How many transactions of a POS there were, and what they moved; a void counts against the day it was made on. */
export const transactionDays = pgTable(
  'transaction_days',
  {
    merchantId: merchantId(),
    day: day(),
    /** Null for what was paid online. */
    storeId: uuid('store_id'),
    type: transactionType('type').$type<BookedType>().notNull(),
    count: integer('count').notNull(),
    amount: sum('amount'),
  },
  (t) => [
    unique('transaction_days_key').on(t.merchantId, t.day, t.storeId, t.type).nullsNotDistinct(),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
  ],
);

/** How many of a campaign's vouchers were issued and redeemed, and what they took off; a void counts as above. */
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
