import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  pgEnum,
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
  bytes,
  bytewiseText,
  createdAt,
  id,
  instant,
  merchantId,
  storeOrNonePolicy,
  tenantPolicy,
} from '../kinds/columns';
import { apiKeys } from './api-keys';
import { balances, customerImports, customers } from './customers';
import { merchants, stores } from './merchants';
import { users } from './staff';

export const transactionType = pgEnum('transaction_type', [
  'topUp',
  'redeemStoredValue',
  'redeemVoucher',
  'redeemPoints',
  'sale',
  'expiry',
  'adjustment',
  'cashOut',
]);
export const transactionStatus = pgEnum('transaction_status', ['completed', 'refused', 'voided']);

const numbered = (column: string, values: readonly string[]) =>
  `case ${column} ${values.map((value, at) => `when '${value}' then ${at + 1}`).join(' ')} else 0 end`;
/**
 * The types that have facets of their own. A change of a generated column rewrites its table, so later types share those
 * of tombstones, of which there are few.
 */
const numberedTypes = transactionType.enumValues.slice(0, 7);
const facetSql = `10 * ${numbered('type', numberedTypes)} + ${numbered('status', transactionStatus.enumValues)}`;

/**
 * Returns a transaction's type (null for a tombstone) and status as the one number in `transactions.facet`. If
 * `sharesFacet`, others have the same number, too.
 */
export function facetOf(
  type: (typeof transactionType.enumValues)[number] | null,
  status: (typeof transactionStatus.enumValues)[number],
): number {
  const typeNumber = type === null ? 0 : numberedTypes.indexOf(type) + 1;
  return 10 * typeNumber + transactionStatus.enumValues.indexOf(status) + 1;
}

/** True if transactions of other types, or tombstones, have the type's facets, too. */
export const sharesFacet = (type: (typeof transactionType.enumValues)[number]) => !numberedTypes.includes(type);

/**
 * A void of one or more transactions, with its reason and the key or member of staff that made it. Both are null if the
 * payment behind a top-up was refunded, or if the diner took back a redemption.
 */
export const voids = pgTable(
  'voids',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** The store of the POS; null for a void by staff, which may span stores. */
    storeId: uuid('store_id'),
    apiKeyId: uuid('api_key_id'),
    userId: uuid('user_id').references(() => users.id),
    reason: text('reason'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({ columns: [t.merchantId, t.apiKeyId], foreignColumns: [apiKeys.merchantId, apiKeys.id] }),
    check(
      'voids_actor',
      sql`num_nonnulls(${t.apiKeyId}, ${t.userId}) <= 1 and (${t.storeId} is null) = (${t.apiKeyId} is null)`,
    ),
    tenantPolicy(),
    storeOrNonePolicy(),
  ],
);

/** A transaction that was recorded more than this after it happened is late. */
export const lateSaleMinutes = 15;
/** The condition of `transactions_late`, in a query of that one table. */
export const isLateSale = sql.raw(`created_at - occurred_at > interval '${lateSaleMinutes} minutes'`);

/**
 * The one outcome of each `transactionId`: completed, refused or voided, for good, with the response that is replayed.
 * A row without a type is a tombstone: its id was voided before it was used.
 */
export const transactions = pgTable(
  'transactions',
  {
    merchantId: merchantId().references(() => merchants.id),
    uid: uuid('uid').notNull(),
    /** Null for expiry, adjustments and top-ups paid online. */
    storeId: uuid('store_id'),
    /** Chosen by the POS and unique within its store. For a top-up paid online, derived from its request's id. */
    transactionId: bytewiseText('transaction_id'),
    type: transactionType('type'),
    status: transactionStatus('status').notNull(),
    /** For an index. Row-level security prevents an index on enums, because their `=` is not leakproof. */
    facet: smallint('facet').notNull().generatedAlwaysAs(sql.raw(facetSql)),
    customerId: uuid('customer_id'),
    /** The amount moved, in minor units or points; null where nothing moved. */
    amount: amount('amount'),
    billId: text('bill_id'),
    staffId: text('staff_id'),
    receiptNumber: text('receipt_number'),
    /** The till's key. Null for what staff or the service did, and for a redemption with a diner's phone. */
    apiKeyId: uuid('api_key_id'),
    /** SHA-256 of the operation and its input without the PIN, to tell a retry from a reuse of the id. */
    requestHash: bytes('request_hash'),
    answer: text('answer'),
    /** Points of a voided sale that the customer no longer had. */
    pointsShortfall: amount('points_shortfall').notNull().default(0),
    occurredAt: instant('occurred_at').notNull(),
    createdAt: createdAt(),
    voidId: uuid('void_id'),
    voidedAt: instant('voided_at'),
    /** What the void did: the `VoidEffect` that the till was told, as JSON. Null if it moved nothing. */
    voidEffect: text('void_effect'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.uid] }),
    unique('transactions_transaction_id').on(t.merchantId, t.storeId, t.transactionId),
    uniqueIndex('transactions_online')
      .on(t.merchantId, t.transactionId)
      .where(sql`store_id is null and transaction_id is not null`),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    foreignKey({ columns: [t.merchantId, t.apiKeyId], foreignColumns: [apiKeys.merchantId, apiKeys.id] }),
    foreignKey({ columns: [t.merchantId, t.voidId], foreignColumns: [voids.merchantId, voids.id] }),
    index('transactions_debts').on(t.merchantId, t.customerId).where(sql`points_shortfall > 0`),
    index('transactions_customer').on(t.merchantId, t.customerId, t.uid),
    index('transactions_bill').on(t.merchantId, t.storeId, t.billId).where(sql`bill_id is not null`),
    index('transactions_late').on(t.merchantId, t.occurredAt).where(isLateSale),
    index('transactions_voided_bill')
      .on(t.merchantId, t.storeId, t.billId)
      .where(sql`void_id is not null and bill_id is not null`),
    index('transactions_void').on(t.merchantId, t.voidId).where(sql`void_id is not null`),
    index('transactions_facets').on(t.merchantId, t.storeId, t.facet, t.uid),
    check(
      'transactions_origin',
      sql`${t.type} in ('expiry', 'adjustment')
        or (${t.transactionId} is not null and (${t.storeId} is not null or ${t.type} = 'topUp'))`,
    ),
    check('transactions_tombstone', sql`${t.type} is not null or ${t.status} = 'voided'`),
    check('transactions_voided', sql`(${t.status} = 'voided') = (${t.voidedAt} is not null)`),
    check('transactions_shortfall', sql`${t.pointsShortfall} >= 0`),
    tenantPolicy(),
    storeOrNonePolicy(),
  ],
);

/** The parts of a balance: the two of stored value, and points. */
export const balancePart = pgEnum('balance_part', ['principal', 'bonus', 'points']);

/** One grant of value: the amount granted, the amount remaining, and its expiry. */
export const lots = pgTable(
  'lots',
  {
    merchantId: merchantId(),
    id: id(),
    customerId: uuid('customer_id').notNull(),
    transactionUid: uuid('transaction_uid').notNull(),
    part: balancePart('part').notNull(),
    granted: amount('granted').notNull(),
    remaining: amount('remaining').notNull(),
    expiresAt: instant('expires_at'),
    /** When value last came back to it after its end, `expiredAt`, and let it live on. Only `revive_lots` changes these. */
    revivedAt: instant('revived_at'),
    expiredAt: instant('expired_at'),
    /** True while anything remains. A generated column, so that spending a part of a lot touches no index. */
    open: boolean('open').generatedAlwaysAs(sql`remaining > 0`),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [balances.merchantId, balances.customerId] }),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    index('lots_open').on(t.merchantId, t.customerId).where(sql`open`),
    index('lots_expiring').on(t.merchantId, t.expiresAt).where(sql`open and expires_at is not null`),
    index('lots_bonus_expiring')
      .on(t.merchantId, t.expiresAt, t.customerId)
      .where(sql`open and part = 'bonus' and expires_at is not null`),
    index('lots_transaction').on(t.merchantId, t.transactionUid),
    check('lots_remaining', sql`${t.granted} > 0 and ${t.remaining} between 0 and ${t.granted}`),
    check('lots_principal_keeps', sql`${t.part} <> 'principal' or ${t.expiresAt} is null`),
    tenantPolicy(),
  ],
);

export const entryKind = pgEnum('entry_kind', ['grant', 'spend', 'void', 'expiry', 'expiryReversal', 'adjustment']);

/** Every change of a balance, by lot. Append-only: the application may only insert and select. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    merchantId: merchantId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    transactionUid: uuid('transaction_uid').notNull(),
    customerId: uuid('customer_id').notNull(),
    lotId: uuid('lot_id').notNull(),
    part: balancePart('part').notNull(),
    kind: entryKind('kind').notNull(),
    /** Positive if the balance grew. */
    amount: amount('amount').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    foreignKey({ columns: [t.merchantId, t.lotId], foreignColumns: [lots.merchantId, lots.id] }),
    index('ledger_entries_transaction').on(t.merchantId, t.transactionUid),
    index('ledger_entries_customer').on(t.merchantId, t.customerId, t.id),
    index('ledger_entries_expiry').on(t.merchantId, t.lotId).where(sql`kind = 'expiry'`),
    check('ledger_entries_amount', sql`${t.amount} <> 0`),
    tenantPolicy(),
  ],
);

/** A manual adjustment of a balance, with its reason and author. Its id is generated by the client and written once. */
export const adjustments = pgTable(
  'adjustments',
  {
    merchantId: merchantId(),
    id: id(),
    transactionUid: uuid('transaction_uid').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    part: balancePart('part').notNull(),
    /** Positive if the balance grew. */
    amount: amount('amount').notNull(),
    expiresAt: instant('expires_at'),
    reason: text('reason').notNull(),
    /** The import whose opening balance it is. */
    importId: uuid('import_id'),
    /** The other customer of the merge that moved the value. */
    mergedWith: uuid('merged_with'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({
      columns: [t.merchantId, t.importId],
      foreignColumns: [customerImports.merchantId, customerImports.id],
    }),
    foreignKey({ columns: [t.merchantId, t.mergedWith], foreignColumns: [customers.merchantId, customers.id] }),
    index('adjustments_import').on(t.merchantId, t.importId, t.transactionUid).where(sql`import_id is not null`),
    unique('adjustments_transaction').on(t.merchantId, t.transactionUid),
    foreignKey({
      columns: [t.merchantId, t.transactionUid],
      foreignColumns: [transactions.merchantId, transactions.uid],
    }),
    tenantPolicy(),
  ],
);
