import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { amount, bytes, createdAt, id, instant, json, merchantId, tenantPolicy } from '../columns';
import { merchants, stores } from './merchants';

export const qrCodeStatus = pgEnum('qr_code_status', ['active', 'invalidated', 'expired']);

/** The code that a table's diners scan to order on one bill. */
export const qrCodes = pgTable(
  'qr_codes',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    storeId: uuid('store_id').notNull(),
    billId: text('bill_id').notNull(),
    table: text('table_name'),
    guests: integer('guests'),
    status: qrCodeStatus('status').notNull().default('active'),
    /** SHA-256 of the token in its address; the token itself is derived from a secret and kept nowhere. */
    tokenHash: bytes('token_hash').notNull().unique('qr_codes_token'),
    expiresAt: instant('expires_at').notNull(),
    invalidatedAt: instant('invalidated_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    uniqueIndex('qr_codes_open_bill').on(t.merchantId, t.storeId, t.billId).where(sql`status = 'active'`),
    index('qr_codes_bill').on(t.merchantId, t.storeId, t.billId, t.id),
    index('qr_codes_table').on(t.merchantId, t.storeId, t.table, t.id),
    // An enum's comparison may leak, so under row-level security it finds rows only as an index's own condition.
    index('qr_codes_settled').on(t.merchantId, t.storeId, t.id).where(sql`status = 'invalidated'`),
    index('qr_codes_unsettled').on(t.merchantId, t.storeId, t.id).where(sql`status <> 'invalidated'`),
    index('qr_codes_active').on(t.merchantId, t.storeId, t.expiresAt).where(sql`status = 'active'`),
    check('qr_codes_invalidated', sql`(${t.status} = 'invalidated') = (${t.invalidatedAt} is not null)`),
    tenantPolicy(),
  ],
);

export const orderStatus = pgEnum('order_status', ['placed', 'accepted', 'ready', 'served', 'cancelled']);

export const orders = pgTable(
  'orders',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    storeId: uuid('store_id').notNull(),
    qrCodeId: uuid('qr_code_id').notNull(),
    /** Counts the store's orders in the order in which they are committed: reading on from one misses none. */
    number: integer('number').notNull(),
    /** Chosen by the diner's phone, so that a double tap makes one order. */
    clientOrderId: uuid('client_order_id').notNull(),
    status: orderStatus('status').notNull().default('placed'),
    total: amount('total').notNull(),
    note: text('note').notNull().default(''),
    placedAt: instant('placed_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('orders_client_order_id').on(t.merchantId, t.qrCodeId, t.clientOrderId),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({ columns: [t.merchantId, t.qrCodeId], foreignColumns: [qrCodes.merchantId, qrCodes.id] }),
    unique('orders_number').on(t.merchantId, t.storeId, t.number),
    index('orders_status_placed').on(t.merchantId, t.storeId, t.number).where(sql`status = 'placed'`),
    index('orders_status_accepted').on(t.merchantId, t.storeId, t.number).where(sql`status = 'accepted'`),
    index('orders_status_ready').on(t.merchantId, t.storeId, t.number).where(sql`status = 'ready'`),
    index('orders_status_served').on(t.merchantId, t.storeId, t.number).where(sql`status = 'served'`),
    index('orders_status_cancelled').on(t.merchantId, t.storeId, t.number).where(sql`status = 'cancelled'`),
    index('orders_status_done').on(t.merchantId, t.storeId, t.number).where(sql`status in ('served', 'cancelled')`),
    index('orders_placed').on(t.merchantId, t.placedAt, t.id),
    index('orders_qr_code').on(t.merchantId, t.qrCodeId, t.number),
    tenantPolicy(),
  ],
);

/** Priced by the server when the order was placed. */
export const orderLines = pgTable(
  'order_lines',
  {
    merchantId: merchantId(),
    orderId: uuid('order_id').notNull(),
    position: smallint('position').notNull(),
    plu: text('plu').notNull(),
    name: text('name').notNull(),
    quantity: integer('quantity').notNull(),
    unitPrice: amount('unit_price').notNull(),
    amount: amount('amount').notNull(),
    options: json<{ name: string; price: number; plu: string | null }[]>('options').notNull().default([]),
    note: text('note').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.orderId, t.position] }),
    foreignKey({ columns: [t.merchantId, t.orderId], foreignColumns: [orders.merchantId, orders.id] }),
    check('order_lines_quantity', sql`${t.quantity} between 1 and 99`),
    tenantPolicy(),
  ],
);

/** An item that a store has run out of; gone when it is restored, or soon after `until`. */
export const stockOuts = pgTable(
  'stock_outs',
  {
    merchantId: merchantId().references(() => merchants.id),
    storeId: uuid('store_id').notNull(),
    plu: text('plu').notNull(),
    /** When it comes back by itself; null: when somebody restores it. */
    until: instant('until'),
    actorKind: text('actor_kind', { enum: ['apiKey', 'staff'] }).notNull(),
    actorId: uuid('actor_id'),
    stockedOutAt: instant('stocked_out_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.storeId, t.plu] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    index('stock_outs_until').on(t.merchantId, t.until).where(sql`until is not null`),
    tenantPolicy(),
  ],
);
