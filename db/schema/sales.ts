import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, numeric, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { amount, instant, json, merchantId, parentPolicy, tenantPolicy } from '../kinds/columns';
import type { IncludedTax } from './bills';
import { transactions } from './ledger';

/** A settled bill, as the POS submitted it. Its transaction has the store, customer and bill number. */
export const sales = pgTable(
  'sales',
  {
    merchantId: merchantId(),
    transactionUid: uuid('transaction_uid').notNull(),
    subtotal: amount('subtotal').notNull(),
    discount: amount('discount').notNull(),
    serviceCharge: amount('service_charge').notNull(),
    tax: amount('tax').notNull(),
    rounding: amount('rounding').notNull(),
    total: amount('total').notNull(),
    /** Part of the total, and not added to it. */
    taxIncluded: json<IncludedTax[]>('tax_included').notNull().default([]),
    pointsEarned: amount('points_earned').notNull(),
    /** What its payers got back by card with the points that it had earned. */
    refunded: amount('refunded').notNull().default(0),
    /** Points that refunds took back or that the customer owes for them, until the sale is voided. */
    pointsTaken: amount('points_taken').notNull().default(0),
    closedAt: instant('closed_at').notNull(),
    /** What the till said: false if more of the bill is to come. */
    closesBill: boolean('closes_bill'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.transactionUid] }),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    check(
      'sales_total',
      sql`${t.total} = ${t.subtotal} - ${t.discount} + ${t.serviceCharge} + ${t.tax} + ${t.rounding}`,
    ),
    tenantPolicy(),
    parentPolicy('transactions.uid', 'sales.transaction_uid'),
  ],
);

export const saleLines = pgTable(
  'sale_lines',
  {
    merchantId: merchantId(),
    transactionUid: uuid('transaction_uid').notNull(),
    position: smallint('position').notNull(),
    plu: text('plu').notNull(),
    name: text('name').notNull(),
    quantity: numeric('quantity', { precision: 12, scale: 3, mode: 'number' }).notNull(),
    unitPrice: amount('unit_price').notNull(),
    amount: amount('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.transactionUid, t.position] }),
    foreignKey({ columns: [t.merchantId, t.transactionUid], foreignColumns: [sales.merchantId, sales.transactionUid] }),
    tenantPolicy(),
    parentPolicy('transactions.uid', 'sale_lines.transaction_uid'),
  ],
);

export const salePayments = pgTable(
  'sale_payments',
  {
    merchantId: merchantId(),
    transactionUid: uuid('transaction_uid').notNull(),
    position: smallint('position').notNull(),
    method: text('method').notNull(),
    amount: amount('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.transactionUid, t.position] }),
    foreignKey({ columns: [t.merchantId, t.transactionUid], foreignColumns: [sales.merchantId, sales.transactionUid] }),
    tenantPolicy(),
    parentPolicy('transactions.uid', 'sale_payments.transaction_uid'),
  ],
);
