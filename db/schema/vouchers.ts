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
import {
  amount,
  createdAt,
  id,
  instant,
  listOfLiterals,
  merchantId,
  storePolicy,
  tenantPolicy,
  translations,
} from '../kinds/columns';
import { isForItems, isPercentage, type VoucherUnit, voucherUnitNames } from '../kinds/voucher-units';
import { customers } from './customers';
import { transactions } from './ledger';
import { merchants, stores } from './merchants';

export const voucherUnit = pgEnum('voucher_unit', voucherUnitNames);
const unitsWhere = (is: (unit: VoucherUnit) => boolean) => listOfLiterals(voucherUnitNames.filter(is));
export const voucherTrigger = pgEnum('voucher_trigger', ['join', 'birthday', 'anniversary', 'seasonal', 'manual']);

export const voucherStates = ['unused', 'redeemed', 'cancelled'] as const;

/** Selects customers who match every given condition; all customers if none is given. */
const segmentColumns = () => ({
  lastVisitedStoreId: uuid('last_visited_store_id'),
  /** Minor units, over all sales. */
  minSpent: amount('min_spent'),
  notSeenSince: date('not_seen_since', { mode: 'string' }),
  joinedBefore: date('joined_before', { mode: 'string' }),
  holdsStoredValue: boolean('holds_stored_value').notNull().default(false),
  /** Paid bills. */
  minVisits: integer('min_visits'),
  /** No visit in so many days. */
  notSeenDays: integer('not_seen_days'),
  /** PLUs: at least one of them was on a paid bill. */
  boughtPlus: text('bought_plus').array().notNull().default([]),
  /** A category of the menu, like `boughtPlus`. One that is deleted later selects nobody. */
  boughtCategoryId: uuid('bought_category_id'),
  /** 1 to 12. */
  birthMonth: smallint('birth_month'),
  tag: text('tag'),
});

/** A voucher's discount, where and when it applies, and how many can be issued. */
export const voucherCampaigns = pgTable(
  'voucher_campaigns',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    name: text('name').notNull(),
    translations: translations(),
    unit: voucherUnit('unit').notNull(),
    /** Minor units, or hundredths of a percent (`isPercentage`). */
    value: amount('value').notNull(),
    /** PLUs, for units that discount items (`isForItems`). */
    plus: text('plus').array().notNull().default([]),
    minSpend: amount('min_spend').notNull().default(0),
    maxDiscount: amount('max_discount'),
    maxUnits: integer('max_units').notNull().default(1),
    stackable: boolean('stackable').notNull().default(false),
    allStores: boolean('all_stores').notNull().default(true),
    validFrom: instant('valid_from'),
    validUntil: instant('valid_until'),
    /** Days that a voucher is valid after its issue; null: as long as the campaign. */
    validityDays: integer('validity_days'),
    trigger: voucherTrigger('trigger').notNull(),
    /** Days before a birthday or anniversary on which it is issued. */
    daysBefore: smallint('days_before').notNull().default(0),
    seasonalOn: date('seasonal_on', { mode: 'string' }),
    ...segmentColumns(),
    /** The last day, in the merchant's time zone, whose occasions have been started. */
    occasionsThrough: date('occasions_through', { mode: 'string' }),
    totalLimit: integer('total_limit'),
    perCustomerLimit: integer('per_customer_limit'),
    issuedCount: integer('issued_count').notNull().default(0),
    pausedAt: instant('paused_at'),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    check(
      'voucher_campaigns_value',
      sql`${t.value} > 0 and (${t.unit} in (${unitsWhere((unit) => !isPercentage(unit))}) or ${t.value} <= 10000)`,
    ),
    check('voucher_campaigns_items', sql`(${t.unit} in (${unitsWhere(isForItems)})) = (cardinality(${t.plus}) > 0)`),
    check(
      'voucher_campaigns_bounds',
      sql`${t.minSpend} >= 0 and ${t.maxDiscount} > 0 and ${t.maxUnits} > 0 and ${t.validityDays} > 0`,
    ),
    check('voucher_campaigns_total_limit', sql`${t.issuedCount} between 0 and coalesce(${t.totalLimit}, 2147483647)`),
    check('voucher_campaigns_customer_limit', sql`${t.perCustomerLimit} > 0`),
    check('voucher_campaigns_days_before', sql`${t.daysBefore} between 0 and 30`),
    index('voucher_campaigns_occasions')
      .on(t.merchantId, t.id)
      .where(sql`trigger in ('birthday', 'anniversary', 'seasonal') and archived_at is null`),
    check('voucher_campaigns_seasonal', sql`(${t.trigger} = 'seasonal') = (${t.seasonalOn} is not null)`),
    check('voucher_campaigns_min_spent', sql`${t.minSpent} > 0`),
    foreignKey({ columns: [t.merchantId, t.lastVisitedStoreId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
  ],
);

/** The stores of a campaign that is not valid at all stores. */
export const voucherCampaignStores = pgTable(
  'voucher_campaign_stores',
  {
    merchantId: merchantId(),
    campaignId: uuid('campaign_id').notNull(),
    storeId: uuid('store_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.campaignId, t.storeId] }),
    foreignKey({
      columns: [t.merchantId, t.campaignId],
      foreignColumns: [voucherCampaigns.merchantId, voucherCampaigns.id],
    }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** How many vouchers of a campaign a customer has had: the counter for the limit per customer. */
export const voucherCounts = pgTable(
  'voucher_counts',
  {
    merchantId: merchantId(),
    campaignId: uuid('campaign_id').notNull(),
    customerId: uuid('customer_id').notNull(),
    issuedCount: integer('issued_count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.campaignId, t.customerId] }),
    foreignKey({
      columns: [t.merchantId, t.campaignId],
      foreignColumns: [voucherCampaigns.merchantId, voucherCampaigns.id],
    }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    tenantPolicy(),
  ],
);

/** One customer's voucher. */
export const vouchers = pgTable(
  'vouchers',
  {
    merchantId: merchantId(),
    id: id(),
    campaignId: uuid('campaign_id').notNull(),
    customerId: uuid('customer_id').notNull(),
    /** Upper case, without dashes. */
    voucherCode: text('voucher_code').notNull(),
    /**
     * The occasion of its issue, unique per customer and campaign: `join`, `birthday 2026`, or `hand` and the issue's
     * id.
     */
    occasion: text('occasion'),
    issuedAt: instant('issued_at').notNull(),
    expiresAt: instant('expires_at'),
    /** The sale that issued it, if any. */
    issuedBy: uuid('issued_by'),
    redeemedBy: uuid('redeemed_by'),
    redeemedAt: instant('redeemed_at'),
    cancelledAt: instant('cancelled_at'),
    cancelReason: text('cancel_reason'),
    /** For lists of a campaign's vouchers. An `unused` one may have expired. */
    state: text('state', { enum: voucherStates }).generatedAlwaysAs(
      sql`case when redeemed_at is not null then 'redeemed' when cancelled_at is not null then 'cancelled' else 'unused' end`,
    ),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('vouchers_code').on(t.merchantId, t.voucherCode),
    unique('vouchers_occasion').on(t.merchantId, t.campaignId, t.customerId, t.occasion),
    foreignKey({
      columns: [t.merchantId, t.campaignId],
      foreignColumns: [voucherCampaigns.merchantId, voucherCampaigns.id],
    }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    foreignKey({ columns: [t.merchantId, t.issuedBy], foreignColumns: [transactions.merchantId, transactions.uid] }),
    foreignKey({ columns: [t.merchantId, t.redeemedBy], foreignColumns: [transactions.merchantId, transactions.uid] }),
    index('vouchers_open').on(t.merchantId, t.customerId).where(sql`redeemed_at is null and cancelled_at is null`),
    index('vouchers_expiring')
      .on(t.merchantId, t.expiresAt, t.customerId)
      .where(sql`redeemed_at is null and cancelled_at is null and expires_at is not null`),
    index('vouchers_past')
      .on(t.merchantId, t.customerId, t.id)
      .where(sql`redeemed_at is not null or cancelled_at is not null`),
    index('vouchers_campaign').on(t.merchantId, t.campaignId, t.state, t.id),
    index('vouchers_redeemed_by').on(t.merchantId, t.redeemedBy).where(sql`redeemed_by is not null`),
    index('vouchers_issued_by').on(t.merchantId, t.issuedBy).where(sql`issued_by is not null`),
    check('vouchers_redeemed', sql`(${t.redeemedBy} is null) = (${t.redeemedAt} is null)`),
    tenantPolicy(),
  ],
);

/**
 * Counts of a campaign's vouchers with the same expiry, by state. Triggers on `vouchers` maintain them, so that a
 * funnel sums only a few rows. Customers are spread over four slots, so that tills seldom wait for each other.
 */
export const voucherTallies = pgTable(
  'voucher_tallies',
  {
    merchantId: merchantId(),
    campaignId: uuid('campaign_id').notNull(),
    /** `infinity`: never expires. */
    expiresAt: instant('expires_at').notNull(),
    slot: smallint('slot').notNull(),
    issued: amount('issued').notNull(),
    redeemed: amount('redeemed').notNull(),
    cancelled: amount('cancelled').notNull(),
    /** Minor units. */
    discount: amount('discount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.campaignId, t.expiresAt, t.slot] }),
    foreignKey({
      columns: [t.merchantId, t.campaignId],
      foreignColumns: [voucherCampaigns.merchantId, voucherCampaigns.id],
    }),
    tenantPolicy(),
  ],
);

export const issueAudience = pgEnum('issue_audience', ['customers', 'segment', 'birthday', 'anniversary']);

/** One issue to several customers, with its progress: when resumed, it gives each customer one voucher. */
export const voucherIssues = pgTable(
  'voucher_issues',
  {
    merchantId: merchantId(),
    /** Generated by the client for a manual issue. */
    id: id(),
    campaignId: uuid('campaign_id').notNull(),
    audience: issueAudience('audience').notNull(),
    /** For the audience `customers`. */
    customerIds: uuid('customer_ids').array(),
    ...segmentColumns(),
    /** The date of the occasion, in the merchant's time zone; null for a manual issue. */
    occasionOn: date('occasion_on', { mode: 'string' }),
    /** The number of vouchers requested, if known. */
    requestedCount: integer('requested_count'),
    issuedCount: integer('issued_count').notNull().default(0),
    refusedCount: integer('refused_count').notNull().default(0),
    /** Customers up to this id are done. */
    doneThrough: uuid('done_through'),
    userId: uuid('user_id'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('voucher_issues_occasion').on(t.merchantId, t.campaignId, t.audience, t.occasionOn),
    foreignKey({
      columns: [t.merchantId, t.campaignId],
      foreignColumns: [voucherCampaigns.merchantId, voucherCampaigns.id],
    }),
    foreignKey({ columns: [t.merchantId, t.lastVisitedStoreId], foreignColumns: [stores.merchantId, stores.id] }),
    index('voucher_issues_campaign').on(t.merchantId, t.campaignId, t.createdAt),
    index('voucher_issues_open').on(t.updatedAt).where(sql`finished_at is null`),
    check('voucher_issues_customers', sql`(${t.audience} = 'customers') = (${t.customerIds} is not null)`),
    tenantPolicy(),
  ],
);
