import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  amount,
  bytes,
  createdAt,
  id,
  instant,
  json,
  listOfLiterals,
  merchantId,
  parentPolicy,
  storePolicy,
  tenantPolicy,
} from '../kinds/columns';
import { billPaymentStates, billStates } from '../kinds/lists';
import { merchants, stores } from './merchants';

export interface BillLine {
  plu: string;
  name: string;
  quantity: number;
  unitPrice: number;
  amount: number;
}

/** The tax in a bill's prices, of a rate in percent; null if the till sent no rate. */
export interface IncludedTax {
  rate: number | null;
  amount: number;
}

/** What a till has taken of a bill so far, and the items that it was for. */
export interface PaidAtTill {
  amount: number;
  lines: { plu: string; quantity: number }[];
}

/** The parts of `paidAtTill` that sales list among their payments, as long as the subtotals of sales reach `subtotal`. */
export interface ListedAtTill {
  subtotal: number;
  amounts: number[];
}

/** A table's bill, as its till last sent it. Each payment on it locks this row. */
export const bills = pgTable(
  'bills',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    storeId: uuid('store_id').notNull(),
    /** The till's bill number. It may be used again on another day. */
    billId: text('bill_id').notNull(),
    state: text('state', { enum: billStates }).notNull().default('open'),
    /** Counted by the till: a higher revision replaces the bill. */
    revision: integer('revision').notNull(),
    /** SHA-256 of what the till sent as this revision, to tell a retry from another bill. */
    requestHash: bytes('request_hash').notNull(),
    table: text('table_name'),
    lines: json<BillLine[]>('lines').notNull(),
    subtotal: amount('subtotal').notNull(),
    discount: amount('discount').notNull(),
    serviceCharge: amount('service_charge').notNull(),
    tax: amount('tax').notNull(),
    rounding: amount('rounding').notNull(),
    total: amount('total').notNull(),
    /** Part of the total, and not added to it. */
    taxIncluded: json<IncludedTax[]>('tax_included').notNull().default([]),
    /** What the till has taken so far, in cash or otherwise. */
    paidAtTill: json<PaidAtTill[]>('paid_at_till').notNull().default([]),
    /** What was paid at the till by the time when all goods were sold, so that it counts once if the bill changes then. */
    listedAtTill: json<ListedAtTill>('listed_at_till'),
    /** Redemptions of vouchers and points that `discount` includes. */
    discountTransactionIds: text('discount_transaction_ids').array().notNull().default([]),
    /** The sums of payments that are held, and of payments that were taken. Set under the row's lock. */
    heldAmount: amount('held_amount').notNull().default(0),
    paidAmount: amount('paid_amount').notNull().default(0),
    /**
     * The upper limit of `heldAmount` and `paidAmount` together: what was to be paid when they were set, or what was
     * already taken.
     */
    limitAmount: amount('limit_amount').notNull().default(0),
    /** Transactions with its bill number count from this time on. Earlier ones belong to another bill. */
    countsFrom: instant('counts_from').notNull(),
    /** Sales count from this time on, which may be later: clocks differ, and the last bill's sale may be late. Null: as `countsFrom`. */
    salesFrom: instant('sales_from'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    /** When the till last sent other sums: a sale from after that may have more on it. Null on bills older than this column: use `createdAt`. */
    sentAt: instant('sent_at'),
    closedAt: instant('closed_at'),
    /** The sale that closed it. Its void opens the bill again. */
    closedBy: uuid('closed_by'),
    /** When it was last opened again. A closing from before that is a late copy. */
    reopenedAt: instant('reopened_at'),
    /** The till takes money until then: phones change nothing on the bill. */
    settlingUntil: instant('settling_until'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    uniqueIndex('bills_open').on(t.merchantId, t.storeId, t.billId).where(sql`state = 'open'`),
    index('bills_bill').on(t.merchantId, t.storeId, t.billId, t.id),
    index('bills_state').on(t.merchantId, t.storeId, t.state, t.id),
    index('bills_reopened').on(t.merchantId, t.storeId, t.id).where(sql`reopened_at is not null`),
    index('bills_forgotten').on(t.updatedAt).where(sql`state = 'open' and paid_amount > 0`),
    check('bills_state', sql`${t.state} in (${listOfLiterals(billStates)})`),
    check('bills_revision', sql`${t.revision} > 0`),
    check(
      'bills_total',
      sql`${t.total} = ${t.subtotal} - ${t.discount} + ${t.serviceCharge} + ${t.tax} + ${t.rounding} and ${t.total} >= 0`,
    ),
    check(
      'bills_taken',
      sql`${t.heldAmount} >= 0 and ${t.paidAmount} >= 0 and ${t.heldAmount} + ${t.paidAmount} <= ${t.limitAmount}`,
    ),
    check('bills_closed', sql`(${t.state} = 'open') = (${t.closedAt} is null)`),
    tenantPolicy(),
    storePolicy(),
  ],
);

/**
 * A payment of a part of a bill. `held`: the payer has some minutes to pay. `released`: nothing has been taken.
 * `taken`: the payer has paid. Any part that does not count on the bill is returned.
 */
export const billPayments = pgTable(
  'bill_payments',
  {
    merchantId: merchantId(),
    /** Generated by the payer's phone, so that a double tap holds one amount. */
    id: id(),
    billUid: uuid('bill_uid').notNull(),
    state: text('state', { enum: billPaymentStates }).notNull().default('held'),
    amount: amount('amount').notNull(),
    /** The tip, on top of `amount`. */
    tip: amount('tip').notNull().default(0),
    /** The parts of amount and tip that count. The rest of a taken payment is returned. */
    keptAmount: amount('kept_amount').notNull().default(0),
    keptTip: amount('kept_tip').notNull().default(0),
    /** What was returned to the payer so far. */
    returnedAmount: amount('returned_amount').notNull().default(0),
    /** What was refunded of the amount, and the points that it earned are still to be taken back. */
    pointsDueFor: amount('points_due_for').notNull().default(0),
    /** What was refunded of the amount while customers kept the points. */
    pointsKeptFor: amount('points_kept_for').notNull().default(0),
    /** The amount is reserved for the payer until then. */
    heldUntil: instant('held_until').notNull(),
    createdAt: createdAt(),
    takenAt: instant('taken_at'),
    /** The paying phone, by the id that it drew for this table, and its diner's name if given. */
    guestId: uuid('guest_id'),
    guestName: text('guest_name').notNull().default(''),
    /** Stripe's Checkout session and the URL of its page, once created. */
    checkoutId: text('checkout_id'),
    checkoutUrl: text('checkout_url'),
    /** The merchant's account at Stripe that it is paid on; null for the operator's own. */
    cardAccountId: text('card_account_id'),
    /** Stripe's payment intent, once paid. Refunds and disputes name it. */
    paymentId: text('payment_id'),
    /** True once the checkout is over: nothing can be paid there any more. */
    checkoutEnded: boolean('checkout_ended').notNull().default(false),
    /** When money was last returned to the payer. */
    returnedAt: instant('returned_at'),
    /** When the payment service last refused to return what is owed. */
    refundRefusedAt: instant('refund_refused_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.billUid], foreignColumns: [bills.merchantId, bills.id] }),
    index('bill_payments_bill').on(t.merchantId, t.billUid, t.id),
    index('bill_payments_taken_at').on(t.merchantId, t.takenAt, t.id).where(sql`state = 'taken'`),
    index('bill_payments_payment').on(t.paymentId).where(sql`payment_id is not null`),
    index('bill_payments_unsettled')
      .on(t.createdAt)
      .where(sql`not checkout_ended or (state = 'taken' and amount + tip - kept_amount - kept_tip > returned_amount)`),
    check('bill_payments_state', sql`${t.state} in (${listOfLiterals(billPaymentStates)})`),
    check('bill_payments_amounts', sql`${t.amount} > 0 and ${t.tip} >= 0`),
    check(
      'bill_payments_kept',
      sql`${t.keptAmount} between 0 and ${t.amount} and ${t.keptTip} between 0 and ${t.tip}
        and (${t.state} = 'taken' or ${t.keptAmount} + ${t.keptTip} + ${t.returnedAmount} = 0)`,
    ),
    check(
      'bill_payments_returned',
      sql`${t.returnedAmount} between 0 and ${t.amount} + ${t.tip} - ${t.keptAmount} - ${t.keptTip}`,
    ),
    check(
      'bill_payments_points_due',
      sql`least(${t.pointsDueFor}, ${t.pointsKeptFor}) >= 0 and ${t.pointsDueFor} + ${t.pointsKeptFor} <= ${t.amount} - ${t.keptAmount}`,
    ),
    check('bill_payments_taken', sql`(${t.state} = 'taken') = (${t.takenAt} is not null)`),
    tenantPolicy(),
    parentPolicy('bills.id', 'bill_payments.bill_uid'),
  ],
);
