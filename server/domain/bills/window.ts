/** Which transactions with a bill's number are on the bill, by their time: the one rule, for rows at hand and in SQL. */
import { and, eq, isNull, not, notExists, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '@/db/query/queries';
import { bills, sales, transactions } from '@/db/schema';

/**
 * Tills restart their bill numbers each day or at some number. After this long, the same number belongs to another
 * bill: after an open bill was last sent, or after a bill was closed. A redemption this long before a bill was first
 * sent does not belong to it.
 */
export const sameBillMs = 12 * 60 * 60_000;

type Bill = Pick<typeof bills.$inferSelect, 'countsFrom' | 'salesFrom' | 'updatedAt' | 'closedAt'>;

type Ends = Pick<Bill, 'updatedAt' | 'closedAt'>;

/** When the number is another bill's: so long after an open bill was last sent, or after a bill ended. */
export const lastsUntil = ({ updatedAt, closedAt }: Ends): Date =>
  new Date((closedAt ?? updatedAt).getTime() + sameBillMs);

/** True if the till has not sent an open bill for twelve hours. Every request then treats it as closed. */
export const isForgotten = (bill: Ends & { state: string }, now: Date): boolean =>
  bill.state === 'open' && lastsUntil(bill) <= now;

/** When something happened, and what: sales and redemptions of a bill begin and end at different times. */
export interface Moment {
  at: Date;
  of: 'sale' | 'redemption';
}

/** True if the moment is within the bill's window. `bill` must be the last one with its number that had begun (`hasBegun`). */
export const isOnBill = (bill: Bill, { at, of }: Moment): boolean =>
  at < lastsUntil(bill) &&
  (of === 'sale'
    ? at > (bill.salesFrom ?? bill.countsFrom)
    : at > bill.countsFrom && (bill.closedAt === null || at <= bill.closedAt));

/** What a bill's window is in a query: columns of `bills`, or of rows that are passed to it. */
export const windowShape = {
  id: bills.id,
  storeId: bills.storeId,
  billId: bills.billId,
  countsFrom: bills.countsFrom,
  salesFrom: bills.salesFrom,
  updatedAt: bills.updatedAt,
  closedAt: bills.closedAt,
};
type Window = Record<keyof typeof windowShape, SQLWrapper>;

const { occurredAt } = transactions;
const isSameNumber = ({ storeId, billId }: Window) =>
  and(sql`${transactions.storeId} = ${storeId}`, sql`${transactions.billId} = ${billId}`);
const isBeforeLast = ({ updatedAt, closedAt }: Window) =>
  sql`${occurredAt} < coalesce(${closedAt}, ${updatedAt}) + make_interval(secs => ${sql.raw(String(sameBillMs / 1000))})`;
/** A release before did not store when sales begin. */
const salesBegin = ({ salesFrom, countsFrom }: Pick<Window, 'salesFrom' | 'countsFrom'>) =>
  sql`coalesce(${salesFrom}, ${countsFrom})`;

/** Matches bills that had begun at a time: for sales, or for redemptions. */
export const hasBegun = (of: Moment['of'], at: SQLWrapper): SQL =>
  sql`${of === 'sale' ? salesBegin(bills) : bills.countsFrom} < ${at}`;

/** Matches redemptions on a bill: also those that arrive late, and what refunds left. */
export const isRedeemedOn = (bill: Window): SQL | undefined =>
  and(
    isSameNumber(bill),
    sql`${occurredAt} > ${bill.countsFrom}`,
    isBeforeLast(bill),
    or(isNull(bill.closedAt), sql`${occurredAt} <= ${bill.closedAt}`),
  );

/** Matches sales on a bill. One that happens after its bill was closed settles it, if the number has not begun another one. */
export function isSoldOn(db: Queries, bill: Window): SQL | undefined {
  const next = alias(bills, 'next');
  const followed = db
    .select({ id: next.id })
    .from(next)
    .where(
      and(
        eq(next.merchantId, transactions.merchantId),
        sql`${next.storeId} = ${bill.storeId}`,
        sql`${next.billId} = ${bill.billId}`,
        sql`${next.id} > ${bill.id}`,
        sql`${salesBegin(next)} < ${occurredAt}`,
      ),
    );
  return and(isSameNumber(bill), sql`${occurredAt} > ${salesBegin(bill)}`, isBeforeLast(bill), notExists(followed));
}

/** Matches sales that end a number whose till sends no bills: not a part after which more is to come. */
export const endsNumber = (db: Queries): SQL =>
  notExists(
    db
      .select({ uid: sales.transactionUid })
      .from(sales)
      .where(
        and(
          eq(sales.merchantId, transactions.merchantId),
          eq(sales.transactionUid, transactions.uid),
          not(sales.closesBill),
        ),
      ),
  );
