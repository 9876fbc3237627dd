/** What staff took, paid out and gave at the counter, from the ledger. */

import { and, between, eq, gt, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { adjustments, partialRefunds, staffTopUps, transactions, type transactionType, voids } from '@/db/schema';
import { firstIdAt } from '../kernel/ids';
import type { PaymentMethod } from './schemas';

type TransactionType = (typeof transactionType.enumValues)[number];

/** Whether money changes hands at the counter when staff record a transaction: 1 it comes in, -1 it goes out. */
export const moneyFlows = {
  topUp: 1,
  cashOut: -1,
  redeemStoredValue: 0,
  redeemVoucher: 0,
  redeemPoints: 0,
  sale: 0,
  expiry: 0,
  adjustment: 0,
} as const satisfies Record<TransactionType, 1 | -1 | 0>;

const flow = sql`case ${transactions.type} ${sql.join(
  Object.entries(moneyFlows).map(([type, sign]) => sql`when ${sql.raw(`'${type}'`)} then ${sql.raw(String(sign))}`),
  sql` `,
)} else 0 end`;

/**
 * What a line is about. Money is taken (`topUp`), paid out (`cashOut`) or given back (`void`). Value alone is added or
 * deducted (`adjustment`), or returned to a customer's balance (`refund`).
 */
export type MovementKind = 'topUp' | 'cashOut' | 'void' | 'adjustment' | 'refund';

/** Ids of transactions and voids contain their time: this far apart at most from the row's own. */
const marginMs = 60_000;

interface Span {
  from: Date;
  until: Date;
}

const isWithin = (id: SQL.Aliased | typeof transactions.uid | typeof transactions.voidId, { from, until }: Span) =>
  between(
    id as typeof transactions.uid,
    firstIdAt(new Date(from.getTime() - marginMs)),
    firstIdAt(new Date(until.getTime() + marginMs)),
  );

const columns = (kind: SQL, amount: SQL, isVoid: boolean, method: SQL, at: SQL, userId: SQL) => ({
  uid: sql<string>`${transactions.uid}`.as('uid'),
  isVoid: sql<boolean>`${sql.raw(String(isVoid))}`.as('is_void'),
  storeId: sql<string | null>`${transactions.storeId}`.as('store_id'),
  at: sql<Date>`${at}`.as('at'),
  userId: sql<string>`${userId}`.as('user_id'),
  kind: sql<MovementKind>`${kind}`.as('kind'),
  method: sql<PaymentMethod | null>`${method}`.as('method'),
  /** Signed: what came in, or was added to balances. */
  amount: sql<number>`(${amount})::bigint`.as('amount'),
});

/** The columns of `selectMoney` and `selectValue`. Drizzle would not qualify them. */
export const moved = {
  uid: sql<string>`moved.uid`,
  isVoid: sql<boolean>`moved.is_void`,
  storeId: sql<string | null>`moved.store_id`,
  at: sql`moved.at`,
  userId: sql`moved.user_id`,
  kind: sql<MovementKind>`moved.kind`,
  method: sql<PaymentMethod | null>`moved.method`,
  amount: sql<number>`moved.amount`,
};

/** Selects money that staff took and paid out, and gave back by voids. */
export function selectMoney({ merchantId, db }: Tx, span: Span) {
  const { uid, type, amount, createdAt, voidId, voidedAt } = transactions;
  const { userId, paymentMethod, transactionUid } = staffTopUps;
  const recorded = and(eq(transactions.merchantId, staffTopUps.merchantId), eq(uid, transactionUid));
  const taken = db
    .select(
      columns(
        sql`${type}::text`,
        sql`${flow} * ${amount}`,
        false,
        sql`${paymentMethod}`,
        sql`${createdAt}`,
        sql`${userId}`,
      ),
    )
    .from(staffTopUps)
    .innerJoin(transactions, recorded)
    .where(and(eq(staffTopUps.merchantId, merchantId), isWithin(transactionUid as never, span)));
  const givenBack = db
    .select(
      columns(
        sql`'void'`,
        sql`-(${flow} * ${amount})`,
        true,
        sql`${paymentMethod}`,
        sql`${voidedAt}`,
        sql`coalesce(${voids.userId}, ${userId})`,
      ),
    )
    .from(transactions)
    .innerJoin(staffTopUps, recorded)
    .innerJoin(voids, and(eq(voids.merchantId, transactions.merchantId), eq(voids.id, voidId)))
    .where(and(eq(transactions.merchantId, merchantId), isWithin(voidId, span)));
  return taken.unionAll(givenBack).as('moved');
}

/** Selects value that staff added, deducted and returned to balances, without money. */
export function selectValue({ merchantId, db }: Tx, span: Span) {
  const { uid, createdAt, voidId, voidedAt, type } = transactions;
  const adjusted = db
    .select(
      columns(
        sql`'adjustment'`,
        sql`${adjustments.amount}`,
        false,
        sql`null::text`,
        sql`${createdAt}`,
        sql`${adjustments.userId}`,
      ),
    )
    .from(adjustments)
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, adjustments.merchantId), eq(uid, adjustments.transactionUid)),
    )
    .where(
      and(
        eq(adjustments.merchantId, merchantId),
        isWithin(adjustments.transactionUid as never, span),
        ne(adjustments.part, 'points').inlineParams(),
        isNull(adjustments.importId),
        isNull(adjustments.mergedWith),
      ),
    );
  const refunded = db
    .select(
      columns(
        sql`'refund'`,
        sql`coalesce(${partialRefunds.amount}, ${transactions.amount})`,
        true,
        sql`null::text`,
        sql`${voidedAt}`,
        sql`${voids.userId}`,
      ),
    )
    .from(transactions)
    .innerJoin(voids, and(eq(voids.merchantId, transactions.merchantId), eq(voids.id, voidId)))
    .leftJoin(
      partialRefunds,
      and(eq(partialRefunds.merchantId, transactions.merchantId), eq(partialRefunds.voidedUid, uid)),
    )
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        isWithin(voidId, span),
        eq(type, 'redeemStoredValue').inlineParams(),
        isNotNull(voids.userId),
        gt(transactions.amount, 0),
      ),
    );
  return adjusted.unionAll(refunded).as('moved');
}
