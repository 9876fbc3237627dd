/** What staff add to transactions that would otherwise come from a till. */
import { sql } from 'drizzle-orm';
import { check, foreignKey, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { amount, id, merchantId, tenantPolicy } from '../kinds/columns';
import { paymentMethods } from '../kinds/lists';
import { transactions } from './ledger';
import { users } from './staff';

/** A top-up that staff took: its author and payment. Written once for each id, which the client generates. */
export const staffTopUps = pgTable(
  'staff_top_ups',
  {
    merchantId: merchantId(),
    id: id(),
    transactionUid: uuid('transaction_uid').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    paymentMethod: text('payment_method', { enum: paymentMethods }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('staff_top_ups_transaction').on(t.merchantId, t.transactionUid),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    tenantPolicy(),
  ],
);

/**
 * A refund of a part of a redemption: one transaction was voided, and another one of the rest took its place. Author and
 * reason are those of the void. Written once for each id, which the client generates.
 */
export const partialRefunds = pgTable(
  'partial_refunds',
  {
    merchantId: merchantId(),
    id: id(),
    /** The voided transaction. */
    voidedUid: uuid('voided_uid').notNull(),
    /** The transaction of the rest. */
    restUid: uuid('rest_uid').notNull(),
    amount: amount('amount').notNull(),
    /** With earlier refunds of the same redemption. */
    totalAmount: amount('total_amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('partial_refunds_voided').on(t.merchantId, t.voidedUid),
    unique('partial_refunds_rest').on(t.merchantId, t.restUid),
    foreignKey({ columns: [t.merchantId, t.voidedUid], foreignColumns: [transactions.merchantId, transactions.uid] }),
    foreignKey({ columns: [t.merchantId, t.restUid], foreignColumns: [transactions.merchantId, transactions.uid] }),
    check('partial_refunds_amounts', sql`${t.amount} > 0 and ${t.totalAmount} >= ${t.amount}`),
    tenantPolicy(),
  ],
);
