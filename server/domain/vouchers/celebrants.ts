/** Finds customers by birthday or joining anniversary. In non-leap years, 29 February is celebrated on 1 March. */

import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { customers } from '@/db/schema';
import { addToDate, type LocalDays, startOfDate } from '../kernel/calendar';
import { type CustomerBatch, isNotBlocked, nilId, toBatch } from './segment';

interface Part {
  after: string | null;
  take: number;
  days: LocalDays;
}

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const yearOf = (date: string) => Number(date.slice(0, 4));

/** Returns the birthdays (`MM-DD`) that are celebrated on `date`. */
export function celebratedOn(date: string): string[] {
  const day = date.slice(5);
  return day === '03-01' && !isLeapYear(yearOf(date)) ? ['02-29', day] : [day];
}

/** Reads the next `take` customers after `after` who were born on this day of an earlier year. */
export async function readBirthdays(tx: Tx, date: string, { after, take }: Part): Promise<CustomerBatch> {
  const { id, merchantId, birthDay, birthday } = customers;
  const days = celebratedOn(date).map((day) => Number(day.replace('-', '')));
  const rows = await tx.db
    .select({ id })
    .from(customers)
    .where(
      and(
        eq(merchantId, tx.merchantId),
        anyOf(birthDay, days),
        lt(birthday, date),
        sql`(${after}::uuid is null or ${id} > ${after})`,
        isNotBlocked(tx, id),
      ),
    )
    .orderBy(id)
    .limit(take);
  return toBatch(rows, take);
}

/** Max age of an anniversary. */
const maxYears = 80;

/** Reads customers who joined on this day of an earlier year, in the merchant's time zone, in the order of joining. */
export async function readAnniversaries(tx: Tx, date: string, { after, take, days }: Part): Promise<CustomerBatch> {
  const { merchantId, db } = tx;
  const dates = Array.from({ length: maxYears }, (_, back) => String(yearOf(date) - 1 - back)).flatMap((year) =>
    celebratedOn(date)
      .filter((day) => day !== '02-29' || isLeapYear(Number(year)))
      .map((day) => `${year}-${day}`),
  );
  const celebrated = recordset(
    'days',
    { startsAt: sql<Date>`timestamptz`, endsAt: sql<Date>`timestamptz` },
    dates.map((day) => ({ startsAt: startOfDate(day, days), endsAt: startOfDate(addToDate(day, 1), days) })),
  );
  const last = alias(customers, 'last');
  // Each day is an index range that starts after the last customer, because all customers may have joined on one day.
  const ranges = db
    .select({
      since: sql<Date>`greatest(${celebrated.startsAt}, ${last.joinedAt})`.as('since'),
      until: sql<Date>`${celebrated.endsAt}`.as('until'),
      behind: sql<string>`case when ${last.joinedAt} >= ${celebrated.startsAt} then ${last.id} else ${nilId} end`.as(
        'behind',
      ),
    })
    .from(celebrated.$rows)
    .leftJoin(last, and(eq(last.merchantId, merchantId), sql`${last.id} = ${after}`))
    .where(or(isNull(last.id), gt(celebrated.endsAt, last.joinedAt)))
    .as('ranges');
  const { id, joinedAt } = customers;
  const joined = db
    .select({ id, joinedAt })
    .from(customers)
    .where(
      and(
        eq(customers.merchantId, merchantId),
        sql`(${joinedAt}, ${id}) > (${ranges.since}, ${ranges.behind})`,
        lt(joinedAt, ranges.until),
        isNotBlocked(tx, id),
      ),
    )
    .orderBy(joinedAt, id)
    .limit(take)
    .as('joined');
  const query = db
    .select({ id: joined.id })
    .from(ranges)
    .crossJoinLateral(joined)
    .orderBy(joined.joinedAt, joined.id)
    .limit(take);
  // If the planner believed that the merchant is small, it would read and sort the whole range.
  const [, rows] = await Promise.all([
    db.run(sql`set local enable_sort = off`),
    query,
    db.run(sql`set local enable_sort = on`),
  ]);
  return toBatch(rows, take);
}
