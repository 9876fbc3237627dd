/** Whose birthday or anniversary a day is. 29 February is celebrated on 1 March in other years. */
import type { Tx } from '@/db/client';
import { addToDate, startOfDate } from '../core/calendar';
import type { CustomerBatch } from './segment';

interface Part {
  after: string | null;
  take: number;
  timeZone: string;
}

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const yearOf = (date: string) => Number(date.slice(0, 4));

/** The days of the calendar, `MM-DD`, that are celebrated on `date`. */
export function celebratedOn(date: string): string[] {
  const day = date.slice(5);
  return day === '03-01' && !isLeapYear(yearOf(date)) ? ['02-29', day] : [day];
}

/** The next `take` customers behind `after` who were born on such a day of an earlier year. */
export async function readBirthdays({ merchantId, sql }: Tx, date: string, part: Part): Promise<CustomerBatch> {
  const days = celebratedOn(date).map((day) => Number(day.replace('-', '')));
  const rows = await sql`
    select id from customers c
    where c.merchant_id = ${merchantId} and c.birth_day = any(${days}::smallint[]) and c.birthday < ${date}
      and (${part.after}::uuid is null or c.id > ${part.after}) and ${notBlocked(sql, merchantId)}
    order by c.id ${sql.unsafe(`limit ${part.take}`)}`;
  return toBatch(rows, part);
}

/** How far back joining is looked for. */
const maxYears = 80;

/** Those who joined on such a day of an earlier year, in the merchant's time zone: in the order of joining. */
export async function readAnniversaries({ merchantId, sql }: Tx, date: string, part: Part): Promise<CustomerBatch> {
  const days = Array.from({ length: maxYears }, (_, back) => String(yearOf(date) - 1 - back)).flatMap((year) =>
    celebratedOn(date)
      .filter((day) => day !== '02-29' || isLeapYear(Number(year)))
      .map((day) => `${year}-${day}`),
  );
  const starts = days.map((day) => startOfDate(day, part.timeZone).toISOString());
  const ends = days.map((day) => startOfDate(addToDate(day, 1), part.timeZone).toISOString());
  // Each day is a range of the index, which is entered behind the last customer: all may have joined on one day.
  const limit = sql.unsafe(`limit ${part.take}`);
  const query = sql`
    select c.id from (
      select greatest(d.starts_at, l.joined_at) as since, d.ends_at,
        case when l.joined_at >= d.starts_at then l.id else '00000000-0000-0000-0000-000000000000' end as after
      from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) d (starts_at, ends_at)
      left join customers l on l.merchant_id = ${merchantId} and l.id = ${part.after}
      where l.id is null or d.ends_at > l.joined_at
    ) d
    cross join lateral (
      select id, joined_at from customers c
      where merchant_id = ${merchantId} and (joined_at, id) > (d.since, d.after) and joined_at < d.ends_at
        and ${notBlocked(sql, merchantId)}
      order by joined_at, id ${limit}
    ) c
    order by c.joined_at, c.id ${limit}`;
  // Where it takes the merchant for a small one, the planner would read all of the range and sort that.
  const [, rows] = await Promise.all([sql`set local enable_sort = off`, query, sql`set local enable_sort = on`]);
  return toBatch(rows, part);
}

const notBlocked = (sql: Tx['sql'], merchantId: string) => sql`not exists (
  select from balances b where b.merchant_id = ${merchantId} and b.customer_id = c.id and b.blocked_at is not null)`;

const toBatch = (rows: readonly { id?: string }[], { take }: Part): CustomerBatch => ({
  customerIds: rows.map(({ id }) => id as string),
  last: rows.length === take ? (rows.at(-1)?.id as string) : null,
});
