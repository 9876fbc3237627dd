import {
  and,
  count,
  desc,
  eq,
  exists,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { balances, customers, lots, transactions } from '@/db/schema';
import { identitiesOf } from '../identity';
import { type LocalDays, startOfDate } from '../kernel/calendar';
import { checkStoreIds } from '../merchants';
import type { Segment } from './campaign-schemas';

/** A batch of customers, ordered by id. */
export interface CustomerBatch {
  customerIds: string[];
  /** The last customer read, after whom the next batch continues; null at the end. */
  last: string | null;
}

/** Sorts before every other id. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/**
 * Reads the unblocked members of a segment among the next `take` customers after `after`, so the work is limited
 * however many match.
 */
export async function readSegment(
  tx: Tx,
  segment: Segment,
  { after, take, days, now }: { after: string | null; take: number; days: LocalDays; now: Date },
): Promise<CustomerBatch> {
  const { merchantId, db } = tx;
  // Materialized, because it is used more than once.
  const batch = db.$with('batch').as(
    db
      .select({ id: customers.id, joinedAt: customers.joinedAt })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), gt(customers.id, after ?? nilId)))
      .orderBy(customers.id)
      .limit(take),
  );
  const last = db.select({ id: batch.id }).from(batch).orderBy(desc(batch.id)).limit(1);
  const members = db
    .select({ id: batch.id })
    .from(batch)
    .where(isMember(tx, batch, segment, days, now))
    .orderBy(batch.id);
  const row = only(
    await db
      .with(batch)
      .select({
        lookedAt: count(),
        last: sql<string | null>`${last}`,
        customerIds: sql<string[]>`array${members}`,
      })
      .from(batch),
  );
  return { customerIds: row.customerIds, last: row.lookedAt === take ? row.last : null };
}

function isMember(
  { merchantId, db }: Tx,
  customer: { id: PgColumn; joinedAt: PgColumn },
  { lastVisitedStoreId, minSpent, notSeenSince, joinedBefore, holdsStoredValue }: Segment,
  days: LocalDays,
  now: Date,
): SQL | undefined {
  const identity = identitiesOf({ merchantId, db }, customer.id);
  const isTheirs = and(
    eq(transactions.merchantId, merchantId),
    eq(transactions.customerId, identity.id),
    eq(transactions.status, 'completed').inlineParams(),
  );
  const isVisit = and(isTheirs, isNotNull(transactions.storeId));
  const conditions = [isNotBlocked({ merchantId, db }, customer.id)];
  if (joinedBefore !== null) conditions.push(lt(customer.joinedAt, startOfDate(joinedBefore, days)));
  if (notSeenSince !== null) {
    const since = startOfDate(notSeenSince, days);
    const later = db
      .select({ uid: transactions.uid })
      .from(identity)
      .innerJoin(transactions, and(isVisit, gte(transactions.occurredAt, since)));
    conditions.push(lt(customer.joinedAt, since), notExists(later));
  }
  if (lastVisitedStoreId !== null) {
    const { uid, storeId } = transactions;
    const last = db.select({ uid, storeId }).from(transactions).where(isVisit).orderBy(desc(uid)).limit(1).as('last');
    const lastStore = db
      .select({ storeId: last.storeId })
      .from(identity)
      .innerJoinLateral(last, sql`true`)
      .orderBy(desc(last.uid))
      .limit(1);
    conditions.push(sql`${lastVisitedStoreId} = ${lastStore}`);
  }
  if (minSpent !== null) {
    const spent = db
      .select({ amount: sql`sum(${transactions.amount})` })
      .from(identity)
      .innerJoin(transactions, and(isTheirs, eq(transactions.type, 'sale').inlineParams()));
    conditions.push(sql`${minSpent} <= ${spent}`);
  }
  if (holdsStoredValue) {
    const value = db
      .select({ id: lots.id })
      .from(lots)
      .where(
        and(
          eq(lots.merchantId, merchantId),
          eq(lots.customerId, customer.id),
          lots.open,
          ne(lots.part, 'points').inlineParams(),
          or(isNull(lots.expiresAt), gt(lots.expiresAt, now)),
        ),
      );
    conditions.push(exists(value));
  }
  return and(...conditions);
}

/** True unless the merchant has blocked the customer. */
export const isNotBlocked = ({ merchantId, db }: Pick<Tx, 'merchantId' | 'db'>, customerId: PgColumn): SQL =>
  notExists(
    db
      .select({ customerId: balances.customerId })
      .from(balances)
      .where(
        and(eq(balances.merchantId, merchantId), eq(balances.customerId, customerId), isNotNull(balances.blockedAt)),
      ),
  );

/** Builds a batch from the next `take` customers. */
export const toBatch = (rows: { id: string }[], take: number): CustomerBatch => ({
  customerIds: rows.map(({ id }) => id),
  last: rows.length === take ? (rows.at(-1)?.id ?? null) : null,
});

/** Errors: `store_not_found`. */
export async function checkSegment(tx: Tx, { lastVisitedStoreId }: Segment): Promise<void> {
  if (lastVisitedStoreId !== null) await checkStoreIds(tx, [lastVisitedStoreId]);
}

/** Reads a segment from a campaign's or an issue's columns. */
export const toSegment = (row: Segment): Segment => ({
  lastVisitedStoreId: row.lastVisitedStoreId,
  minSpent: row.minSpent,
  notSeenSince: row.notSeenSince,
  joinedBefore: row.joinedBefore,
  holdsStoredValue: row.holdsStoredValue,
});
