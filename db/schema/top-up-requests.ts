import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { amount, createdAt, id, instant, merchantId, tenantPolicy } from '../columns';
import { customers } from './customers';
import { transactions } from './ledger';
import { users } from './staff';
import { storedValuePackages } from './stored-value';

export const topUpMethod = pgEnum('top_up_method', ['card', 'counter']);

/**
 * `open`: not paid yet. `credited`: paid, and in the ledger. `refunding`: paid, but it could not be credited, and is about
 * to be paid back; `refunded`: was paid back.
 */
export const topUpRequestState = pgEnum('top_up_request_state', [
  'open',
  'credited',
  'cancelled',
  'expired',
  'failed',
  'refunding',
  'refunded',
]);

/** A top-up that a diner began on the phone, with what was offered then: paid by card, or at a counter with its code. */
export const topUpRequests = pgTable(
  'top_up_requests',
  {
    merchantId: merchantId(),
    id: id(),
    customerId: uuid('customer_id').notNull(),
    /** Chosen by the phone, so that a double tap begins one. */
    requestKey: uuid('request_key').notNull(),
    packageId: uuid('package_id').notNull(),
    /** What is to be paid, and what comes on top. */
    principal: amount('principal').notNull(),
    bonus: amount('bonus').notNull(),
    bonusExpiresInDays: integer('bonus_expires_in_days'),
    method: topUpMethod('method').notNull(),
    state: topUpRequestState('state').notNull().default('open'),
    /** Six digits that the diner reads to the cashier. */
    counterCode: text('counter_code'),
    /** Stripe's Checkout session and its page, once it is there. */
    checkoutId: text('checkout_id'),
    checkoutUrl: text('checkout_url'),
    /** The code of the domain's error that kept a payment from being credited. */
    refusal: text('refusal'),
    /** What Stripe has paid back, as far as we know, in minor units. */
    refundedAmount: amount('refunded_amount').notNull().default(0),
    /** Since when a refund waits for staff: the value that it paid for was spent, or only a part was paid back. */
    alertedAt: instant('alerted_at'),
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedBy: uuid('acknowledged_by').references(() => users.id),
    /** The transaction that credited it. */
    transactionUid: uuid('transaction_uid'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('top_up_requests_request_key').on(t.merchantId, t.customerId, t.requestKey),
    unique('top_up_requests_transaction').on(t.merchantId, t.transactionUid),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    foreignKey({
      columns: [t.merchantId, t.packageId],
      foreignColumns: [storedValuePackages.merchantId, storedValuePackages.id],
    }),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    uniqueIndex('top_up_requests_open_code').on(t.merchantId, t.counterCode).where(sql`state = 'open'`),
    index('top_up_requests_code').on(t.merchantId, t.counterCode, t.id).where(sql`counter_code is not null`),
    index('top_up_requests_customer').on(t.merchantId, t.customerId, t.id),
    index('top_up_requests_alerts')
      .on(t.merchantId, t.alertedAt)
      .where(sql`alerted_at is not null and acknowledged_at is null`),
    index('top_up_requests_unsettled').on(t.createdAt).where(sql`state in ('open', 'refunding')`),
    check('top_up_requests_amounts', sql`${t.principal} > 0 and ${t.bonus} >= 0 and ${t.refundedAmount} >= 0`),
    check('top_up_requests_method', sql`(${t.method} = 'counter') = (${t.counterCode} is not null)`),
    check('top_up_requests_credited', sql`${t.state} <> 'credited' or ${t.transactionUid} is not null`),
    tenantPolicy(),
  ],
);
