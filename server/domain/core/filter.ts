/** What lists of the back office are filtered by. */
import { and, gte, lt, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { addToDate, startOfDate } from './calendar';
import { firstIdAt } from './ids';

/** The condition on a field of a filter; none where the field is not given, so that it is in nobody's way to an index. */
export const ifGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined => (value === undefined ? undefined : condition(value));

interface Days {
  from?: string | undefined;
  until?: string | undefined;
}

/** Rows made on these days, by their ids, which sort by time. */
export const madeOn = (id: PgColumn, timeZone: string, { from, until }: Days): SQL | undefined =>
  and(
    ifGiven(from, (day) => gte(id, firstIdAt(startOfDate(day, timeZone)))),
    ifGiven(until, (day) => lt(id, firstIdAt(startOfDate(addToDate(day, 1), timeZone)))),
  );
