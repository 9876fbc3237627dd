import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
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
import { disputeStatuses } from '../kinds/lists';
import { billPayments } from './bills';
import { transactions } from './ledger';
import { stores } from './merchants';
import { users } from './staff';
import { topUpRequests } from './top-up-requests';

/**
 * A payer's complaint to their bank about a card payment, as the payment service last said of it. It is about a top-up,
 * or about a payment on a bill.
 */
export const cardDisputes = pgTable(
  'card_disputes',
  {
    merchantId: merchantId(),
    id: id(),
    /** The payment service's id of it. */
    serviceId: text('service_id').notNull(),
    topUpRequestId: uuid('top_up_request_id'),
    billPaymentId: uuid('bill_payment_id'),
    /** The bill's store; null for a top-up. */
    storeId: uuid('store_id'),
    /** What the payer wants back, in minor units. It can be less than was paid. */
    amount: amount('amount').notNull(),
    reason: text('reason').notNull(),
    status: text('status', { enum: disputeStatuses }).notNull(),
    /** Until when the payment service accepts an answer; null if it names no time. */
    respondBy: instant('respond_by'),
    openedAt: instant('opened_at').notNull(),
    closedAt: instant('closed_at'),
    /** The adjustment that last took what was left of the top-up. Its void gives it back. */
    blockUid: uuid('block_uid'),
    /** Counts changes, so that an answer of the payment service from before the last change is recognised. */
    revision: integer('revision').notNull().default(1),
    /** When staff dealt with a lost one. */
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedBy: uuid('acknowledged_by').references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('card_disputes_service_id').on(t.merchantId, t.serviceId),
    foreignKey({
      columns: [t.merchantId, t.topUpRequestId],
      foreignColumns: [topUpRequests.merchantId, topUpRequests.id],
    }),
    foreignKey({
      columns: [t.merchantId, t.billPaymentId],
      foreignColumns: [billPayments.merchantId, billPayments.id],
    }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({ columns: [t.merchantId, t.blockUid], foreignColumns: [transactions.merchantId, transactions.uid] }),
    index('card_disputes_top_up').on(t.merchantId, t.topUpRequestId).where(sql`top_up_request_id is not null`),
    index('card_disputes_bill_payment').on(t.merchantId, t.billPaymentId).where(sql`bill_payment_id is not null`),
    index('card_disputes_block').on(t.merchantId, t.blockUid).where(sql`block_uid is not null`),
    index('card_disputes_open')
      .on(t.merchantId, t.respondBy)
      .where(sql`status = 'needs_response' or (status = 'lost' and acknowledged_at is null)`),
    check('card_disputes_subject', sql`num_nonnulls(${t.topUpRequestId}, ${t.billPaymentId}) = 1`),
    check('card_disputes_store', sql`(${t.billPaymentId} is null) = (${t.storeId} is null)`),
    check('card_disputes_amount', sql`${t.amount} > 0`),
    check('card_disputes_status', sql`${t.status} in (${listOfLiterals(disputeStatuses)})`),
    check('card_disputes_closed', sql`(${t.status} in ('won', 'lost')) = (${t.closedAt} is not null)`),
    tenantPolicy(),
    storePolicy(),
  ],
);
