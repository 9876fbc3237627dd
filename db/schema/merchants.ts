import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
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
} from '../kinds/columns';
import { cardAccountStates, eventTypes, noticeKinds, secondFactorDemands } from '../kinds/lists';

/** A restaurant or shop group: the tenant. Changed settings apply from the next request on. */
export const merchants = pgTable(
  'merchants',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    currency: text('currency').notNull(),
    /** ISO 3166 country for parsing national phone numbers. */
    country: text('country').notNull(),
    timeZone: text('time_zone').notNull(),
    /** The hour at which a business day starts. Some restaurants close after midnight. */
    dayStartsAt: smallint('day_starts_at').notNull().default(0),
    locale: text('locale').notNull(),
    pinRequired: boolean('pin_required').notNull().default(false),
    /** The maximum stored value of a customer; null: no limit. */
    balanceLimit: amount('balance_limit'),
    /** How much of a redemption a cashier may refund in total. */
    cashierRefundLimit: amount('cashier_refund_limit').notNull().default(0),
    /**
     * What staff do with more than this asks again who is there, if the last proof is not recent; null: no amount asks.
     */
    confirmAbove: amount('confirm_above'),
    /** How long an order waits before the board marks it late; twice as long makes it very late. */
    lateOrderMinutes: integer('late_order_minutes').notNull().default(15),
    /** The largest sale, by what was paid for goods, that earns points; null for no limit. */
    earningSaleLimit: amount('earning_sale_limit'),
    /** What tills and staff may give one customer in a day, in points and in stored value; null for no limit. */
    customerDailyPoints: amount('customer_daily_points'),
    customerDailyValue: amount('customer_daily_value'),
    /** Less than that, for card top-ups on the phones of customers who joined lately. */
    newCustomerDailyValue: amount('new_customer_daily_value'),
    /** What one API key may give all customers in a day. */
    keyDailyPoints: amount('key_daily_points'),
    keyDailyValue: amount('key_daily_value'),
    /** New customers of a key in a day who get sign-up vouchers; null for no limit. */
    keyDailySignUps: integer('key_daily_sign_ups'),
    /** What one member of staff may give all customers in a day: value in minor units, and counts. */
    cashierDailyValue: amount('cashier_daily_value'),
    cashierDailyEnrolments: integer('cashier_daily_enrolments'),
    managerDailyValue: amount('manager_daily_value'),
    managerDailyPoints: amount('manager_daily_points'),
    managerDailyVouchers: integer('manager_daily_vouchers'),
    /** 0: cashiers give none. */
    cashierDailyVouchers: integer('cashier_daily_vouchers').default(0),
    managerDailyEnrolments: integer('manager_daily_enrolments'),
    /** How many sign-in codes may be sent to diners. */
    codesPerHour: integer('codes_per_hour').notNull().default(200),
    codesPerDay: integer('codes_per_day').notNull().default(1_000),
    /**
     * ISO 3166 countries whose numbers may be sent codes; null for the merchant's own country and those of its
     * customers.
     */
    codeCountries: text('code_countries').array(),
    earnPoints: integer('earn_points').notNull().default(1),
    earnPerAmount: amount('earn_per_amount').notNull().default(100),
    pointValue: amount('point_value').notNull().default(1),
    minRedeemPoints: integer('min_redeem_points').notNull().default(1),
    pointsExpiryMonths: integer('points_expiry_months'),
    /** True if sales earn points on prices without the tax that they include. */
    pointsOnNet: boolean('points_on_net').notNull().default(false),
    /** How many days back a till may date a transaction, for example after it was offline. */
    backdatingDays: integer('backdating_days').notNull().default(31),
    enrolOnSale: boolean('enrol_on_sale').notNull().default(false),
    /** Whether a new customer gets sign-up vouchers only by signing in with a code on their phone. */
    signUpNeedsPhone: boolean('sign_up_needs_phone').notNull().default(false),
    /** How many days value can be spent that a void returns after its last day; null: it expires at once. */
    returnedValueDays: integer('returned_value_days'),
    /** Whether the bonus of a top-up stays when its principal is paid out. */
    cashOutKeepsBonus: boolean('cash_out_keeps_bonus').notNull().default(false),
    /** Whether customers who owe points can't redeem. */
    refusesOwing: boolean('refuses_owing').notNull().default(false),
    /** PLUs and categories of the menu that earn no points. */
    noPointsPlus: text('no_points_plus').array().notNull().default([]),
    noPointsCategoryIds: uuid('no_points_category_ids').array().notNull().default([]),
    /** The https address of the privacy notice that diners accept when they join. */
    privacyUrl: text('privacy_url'),
    /** The square photo that diners see as the logo. */
    logoId: uuid('logo_id'),
    /** The colour of buttons and links on diners' pages, such as `#c8102e`; null for the product's own. */
    accentColour: text('accent_colour'),
    /** A line under the store's name on diners' pages. */
    welcome: text('welcome'),
    /** The tax's name as printed on bills, such as `GST`; null for the word in the reader's language. */
    taxName: text('tax_name'),
    /** In hundredths of a percent: 900 is 9 %. Null: prices are shown without a word on tax. */
    taxBasisPoints: integer('tax_basis_points'),
    taxIncluded: boolean('tax_included').notNull().default(true),
    /** The service charge, in hundredths of a percent. */
    serviceBasisPoints: integer('service_basis_points'),
    serviceIncluded: boolean('service_included').notNull().default(false),
    /** How far the merchant's clock is ahead of the machine's. Only a sandbox's clock can be advanced. */
    clockAheadSeconds: integer('clock_ahead_seconds').notNull().default(0),
    /** When the clock was last advanced, by the machine's clock. */
    clockMovedAt: instant('clock_moved_at'),
    /** The kinds of notices that customers get: those with at least one template turned on. */
    noticeKinds: text('notice_kinds', { enum: noticeKinds }).array().notNull().default([]),
    /** Whether all events are recorded for `GET /events`, even those that no webhook endpoint wants. */
    recordsEvents: boolean('records_events').notNull().default(false),
    /**
     * The types of events that are recorded; null for all. Derived from `recordsEvents` and the webhook endpoints, and
     * read together with the key.
     */
    eventTypes: text('event_types', { enum: eventTypes }).array().default([]),
    /**
     * Start of the quiet hours, `21:00` in the merchant's time zone, in which no notice is sent; null: no quiet hours.
     */
    quietFrom: text('quiet_from').default('21:00'),
    quietUntil: text('quiet_until').default('09:00'),
    /** Customers have been notified of value that expires up to this time. */
    remindedThrough: instant('reminded_through'),
    /** Which staff must have a second factor, and from when on. */
    secondFactorOf: text('second_factor_of', { enum: secondFactorDemands }).notNull().default('nobody'),
    secondFactorFrom: instant('second_factor_from'),
    /** The merchant's own account at Stripe, and what it can do; null if there is none. */
    cardAccountId: text('card_account_id'),
    cardAccountState: text('card_account_state', { enum: cardAccountStates }),
    /** While set, tills, staff and diners are refused. The operator closes and opens a merchant. */
    closedAt: instant('closed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    check(
      'merchants_second_factor',
      sql`${t.secondFactorOf} in ('nobody', 'owners', 'managers', 'everybody')
        and (${t.secondFactorOf} = 'nobody') = (${t.secondFactorFrom} is null)`,
    ),
    check(
      'merchants_quiet_hours',
      sql`(${t.quietFrom} is null) = (${t.quietUntil} is null) and ${t.quietFrom} <> ${t.quietUntil}
        and ${t.quietFrom} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and ${t.quietUntil} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`,
    ),
    check(
      'merchants_points_rules',
      sql`${t.earnPoints} between 0 and 1000000 and ${t.earnPerAmount} > 0 and ${t.pointValue} between 0 and 10000 and ${t.minRedeemPoints} > 0`,
    ),
    check(
      'merchants_tax',
      sql`${t.taxBasisPoints} between 1 and 10000 and ${t.serviceBasisPoints} between 1 and 10000`,
    ),
    check('merchants_accent_colour', sql`${t.accentColour} ~ '^#[0-9a-f]{6}$'`),
    check('merchants_cashier_refunds', sql`${t.cashierRefundLimit} >= 0`),
    check('merchants_confirm_above', sql`${t.confirmAbove} >= 0`),
    check(
      'merchants_daily_limits',
      sql`least(${t.earningSaleLimit}, ${t.customerDailyPoints}, ${t.customerDailyValue}, ${t.keyDailyPoints}, ${t.keyDailyValue}) > 0`,
    ),
    check(
      'merchants_card_account',
      sql`(${t.cardAccountId} is null) = (${t.cardAccountState} is null)
        and ${t.cardAccountState} in (${listOfLiterals(cardAccountStates)})`,
    ),
    uniqueIndex('merchants_card_account_id').on(t.cardAccountId).where(sql`card_account_id is not null`),
    check('merchants_new_customers', sql`${t.newCustomerDailyValue} > 0`),
    check(
      'merchants_staff_limits',
      sql`least(${t.cashierDailyValue}, ${t.cashierDailyEnrolments}, ${t.managerDailyValue}, ${t.managerDailyPoints}, ${t.managerDailyVouchers}, ${t.managerDailyEnrolments}) > 0`,
    ),
    check('merchants_cashier_vouchers', sql`${t.cashierDailyVouchers} >= 0`),
    check(
      'merchants_codes',
      sql`${t.codesPerHour} between 1 and 100000 and ${t.codesPerDay} between 1 and 1000000 and cardinality(${t.codeCountries}) > 0`,
    ),
    check('merchants_late_orders', sql`${t.lateOrderMinutes} between 1 and 240`),
    check('merchants_day_starts_at', sql`${t.dayStartsAt} between 0 and 6`),
    check('merchants_returned_value', sql`${t.returnedValueDays} between 1 and 366`),
    check('merchants_backdating', sql`${t.backdatingDays} between 1 and 31`),
    check('merchants_clock', sql`${t.clockAheadSeconds} between 0 and 63244800`),
    tenantPolicy('id'),
  ],
);

/** What a merchant's prices include: columns for a query on `merchants`. */
export const taxColumns = {
  taxName: merchants.taxName,
  taxBasisPoints: merchants.taxBasisPoints,
  taxIncluded: merchants.taxIncluded,
  serviceBasisPoints: merchants.serviceBasisPoints,
  serviceIncluded: merchants.serviceIncluded,
};

/** What one member of staff may give in a day; null for no limit. Columns for a query on `merchants`. */
export const staffLimitColumns = {
  cashierDailyValue: merchants.cashierDailyValue,
  cashierDailyEnrolments: merchants.cashierDailyEnrolments,
  managerDailyValue: merchants.managerDailyValue,
  managerDailyPoints: merchants.managerDailyPoints,
  managerDailyVouchers: merchants.managerDailyVouchers,
  cashierDailyVouchers: merchants.cashierDailyVouchers,
  managerDailyEnrolments: merchants.managerDailyEnrolments,
};

/** How a merchant's pages for diners look: columns for a query on `merchants`. */
export const brandColumns = {
  logoId: merchants.logoId,
  accentColour: merchants.accentColour,
  welcome: merchants.welcome,
};

export type Brand = Pick<typeof merchants.$inferSelect, keyof typeof brandColumns>;

/** What only people read about a merchant: columns for a query on `merchants`. Requests of tills don't need them. */
export const businessColumns = {
  privacyUrl: merchants.privacyUrl,
  ...brandColumns,
  ...taxColumns,
  ...staffLimitColumns,
  cashierRefundLimit: merchants.cashierRefundLimit,
  confirmAbove: merchants.confirmAbove,
  lateOrderMinutes: merchants.lateOrderMinutes,
  codesPerHour: merchants.codesPerHour,
  codesPerDay: merchants.codesPerDay,
  codeCountries: merchants.codeCountries,
  recordsEvents: merchants.recordsEvents,
};

/** A merchant's settings: columns for a query on `merchants`. */
export const merchantColumns = {
  merchantId: merchants.id,
  merchantName: merchants.name,
  currency: merchants.currency,
  country: merchants.country,
  timeZone: merchants.timeZone,
  dayStartsAt: merchants.dayStartsAt,
  locale: merchants.locale,
  pinRequired: merchants.pinRequired,
  balanceLimit: merchants.balanceLimit,
  earningSaleLimit: merchants.earningSaleLimit,
  customerDailyPoints: merchants.customerDailyPoints,
  customerDailyValue: merchants.customerDailyValue,
  newCustomerDailyValue: merchants.newCustomerDailyValue,
  keyDailyPoints: merchants.keyDailyPoints,
  keyDailyValue: merchants.keyDailyValue,
  keyDailySignUps: merchants.keyDailySignUps,
  earnPoints: merchants.earnPoints,
  earnPerAmount: merchants.earnPerAmount,
  pointValue: merchants.pointValue,
  minRedeemPoints: merchants.minRedeemPoints,
  pointsExpiryMonths: merchants.pointsExpiryMonths,
  pointsOnNet: merchants.pointsOnNet,
  backdatingDays: merchants.backdatingDays,
  enrolOnSale: merchants.enrolOnSale,
  signUpNeedsPhone: merchants.signUpNeedsPhone,
  returnedValueDays: merchants.returnedValueDays,
  cashOutKeepsBonus: merchants.cashOutKeepsBonus,
  refusesOwing: merchants.refusesOwing,
  noPointsPlus: merchants.noPointsPlus,
  noPointsCategoryIds: merchants.noPointsCategoryIds,
  clockAheadSeconds: merchants.clockAheadSeconds,
  noticeKinds: merchants.noticeKinds,
  quietFrom: merchants.quietFrom,
  quietUntil: merchants.quietUntil,
  eventTypes: merchants.eventTypes,
  cardAccountId: merchants.cardAccountId,
  cardAccountState: merchants.cardAccountState,
};

export const stores = pgTable(
  'stores',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** The POS's own code for the store. */
    storeCode: text('store_code').notNull(),
    /** True if an older store has the same code in another case: it dates from when case made codes differ. */
    isCodeShared: boolean('is_code_shared').notNull().default(false),
    name: text('name').notNull(),
    /** As printed on receipts; may be empty. */
    address: text('address').notNull().default(''),
    phone: text('phone').notNull().default(''),
    /** The hour at which its sales' day starts; null for the merchant's. */
    dayStartsAt: smallint('day_starts_at'),
    /** The number of the latest order by a diner. Each order increments it. */
    lastOrderNumber: integer('last_order_number').notNull().default(0),
    /** While set, no POS can make requests for the store. */
    closedAt: instant('closed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('stores_store_code').on(t.merchantId, t.storeCode),
    check('stores_day_starts_at', sql`${t.dayStartsAt} between 0 and 6`),
    uniqueIndex('stores_code_in_any_case').on(t.merchantId, sql`lower(${t.storeCode})`).where(sql`not is_code_shared`),
    tenantPolicy(),
    storePolicy('id'),
  ],
);

export const actorKinds = ['apiKey', 'staff', 'diner', 'service'] as const;

/** The audit log: one row for every change by staff or key that is not itself a transaction. */
export const auditLog = pgTable(
  'audit_log',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    actorKind: text('actor_kind', { enum: actorKinds }).notNull(),
    actorId: uuid('actor_id'),
    action: text('action').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    before: text('before'),
    after: text('after'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('audit_log_subject').on(t.merchantId, t.subjectKind, t.subjectId, t.id),
    index('audit_log_action').on(t.merchantId, t.action, t.id),
    index('audit_log_actor').on(t.merchantId, t.actorId, t.id),
    // Actors without an id are found by kind, so that many changes by diners do not hide the service's.
    ...['service', 'diner'].flatMap((kind) => [
      index(`audit_log_${kind}`)
        .on(t.merchantId, t.id)
        .where(sql.raw(`actor_kind = '${kind}'`)),
      index(`audit_log_${kind}_action`)
        .on(t.merchantId, t.action, t.id)
        .where(sql.raw(`actor_kind = '${kind}'`)),
    ]),
    index('audit_log_actor_action').on(t.merchantId, t.actorId, t.action, t.id),
    tenantPolicy(),
  ],
);
