import {
  and,
  between,
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
import { anyOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { balances, customers, lots, menuItems, saleLines, transactions } from '@/db/schema';
import { identitiesOf } from '../identity';
import { addToDate, dateIn, type LocalDays, startOfDate } from '../kernel/calendar';
import { checkCategoryIds, checkStoreIds } from '../merchants';
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
 * however many match. `lookedAt` is how many of these customers are unblocked.
 */
export async function readSegment(
  tx: Tx,
  segment: Segment,
  { after, take, days, now }: { after: string | null; take: number; days: LocalDays; now: Date },
): Promise<CustomerBatch & { lookedAt: number }> {
  const { merchantId, db } = tx;
  const { id, joinedAt, birthDay, tags } = customers;
  // Materialized, because it is used more than once.
  const batch = db.$with('batch').as(
    db
      .select({ id, joinedAt, birthDay, tags })
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
        read: count(),
        lookedAt: sql<number>`count(*) filter (where ${isNotBlocked(tx, batch.id)})`,
        last: sql<string | null>`${last}`,
        customerIds: sql<string[]>`array${members}`,
      })
      .from(batch),
  );
  return { customerIds: row.customerIds, lookedAt: row.lookedAt, last: row.read === take ? row.last : null };
}

interface BatchedCustomer {
  id: PgColumn;
  joinedAt: PgColumn;
  birthDay: PgColumn;
  tags: PgColumn;
}

function isMember(tx: Tx, customer: BatchedCustomer, segment: Segment, days: LocalDays, now: Date): SQL | undefined {
  const { merchantId, db } = tx;
  const { lastVisitedStoreId, minSpent, minVisits, joinedBefore, holdsStoredValue, birthMonth, tag } = segment;
  const identity = identitiesOf({ merchantId, db }, customer.id);
  const isTheirs = and(
    eq(transactions.merchantId, merchantId),
    eq(transactions.customerId, identity.id),
    eq(transactions.status, 'completed').inlineParams(),
  );
  const isVisit = and(isTheirs, isNotNull(transactions.storeId));
  const conditions = [isNotBlocked({ merchantId, db }, customer.id)];
  if (joinedBefore !== null) conditions.push(lt(customer.joinedAt, startOfDate(joinedBefore, days)));
  if (birthMonth !== null) conditions.push(between(customer.birthDay, birthMonth * 100, birthMonth * 100 + 99));
  if (tag !== null) conditions.push(sql`lower(${tag}) = any (lower(${customer.tags}::text)::text[])`);
  for (const since of unseenSince(segment, days, now)) {
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
  const isSale = and(isTheirs, eq(transactions.type, 'sale').inlineParams());
  const sumSales = (sum: SQL) => db.select({ sum }).from(identity).innerJoin(transactions, isSale);
  if (minSpent !== null) conditions.push(sql`${minSpent} <= ${sumSales(sql`sum(${transactions.amount})`)}`);
  if (minVisits !== null) conditions.push(sql`${minVisits} <= ${sumSales(sql`count(*)`)}`);
  for (const isBought of boughtLines(tx, segment)) {
    const bought = db
      .select({ uid: transactions.uid })
      .from(identity)
      .innerJoin(transactions, isSale)
      .innerJoin(
        saleLines,
        and(eq(saleLines.merchantId, merchantId), eq(saleLines.transactionUid, transactions.uid), isBought),
      );
    conditions.push(exists(bought));
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

/** The instants after which a member has neither joined nor visited. */
function unseenSince({ notSeenSince, notSeenDays }: Segment, days: LocalDays, now: Date): Date[] {
  const dates = [notSeenSince, notSeenDays === null ? null : addToDate(dateIn(days, now), -notSeenDays)];
  return dates.flatMap((date) => (date === null ? [] : [startOfDate(date, days)]));
}

/** The conditions on lines of paid bills, each of which a member has to have one of. */
function boughtLines({ merchantId, db }: Tx, { boughtPlus, boughtCategoryId }: Segment): SQL[] {
  const conditions: SQL[] = [];
  if (boughtPlus.length > 0) conditions.push(anyOf(saleLines.plu, boughtPlus));
  if (boughtCategoryId !== null) {
    const plus = db
      .select({ plu: menuItems.plu })
      .from(menuItems)
      .where(and(eq(menuItems.merchantId, merchantId), eq(menuItems.categoryId, boughtCategoryId)));
    conditions.push(sql`${saleLines.plu} = any (array${plus})`);
  }
  return conditions;
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

/** Errors: `store_not_found`, `menu_entry_not_found` for the category. */
export async function checkSegment(tx: Tx, { lastVisitedStoreId, boughtCategoryId }: Segment): Promise<void> {
  if (lastVisitedStoreId !== null) await checkStoreIds(tx, [lastVisitedStoreId]);
  if (boughtCategoryId !== null) await checkCategoryIds(tx, [boughtCategoryId]);
}

/** Reads a segment from a campaign's or an issue's columns. */
export const toSegment = (row: Segment): Segment => ({
  lastVisitedStoreId: row.lastVisitedStoreId,
  minSpent: row.minSpent,
  notSeenSince: row.notSeenSince,
  joinedBefore: row.joinedBefore,
  holdsStoredValue: row.holdsStoredValue,
  minVisits: row.minVisits,
  notSeenDays: row.notSeenDays,
  boughtPlus: row.boughtPlus,
  boughtCategoryId: row.boughtCategoryId,
  birthMonth: row.birthMonth,
  tag: row.tag,
});
