/** Conditions of lists and exports that are filtered by days. */
import { and, eq, gte, isNull, lt, notInArray, or, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { addToDate, daysOfStore, type LocalDays, type StoreDays, startOfDate } from './calendar';
import { firstIdAt } from './ids';
import { ifGiven } from './page';

interface DayRange {
  from?: string | undefined;
  until?: string | undefined;
}

/** A time as a column has it: the time itself, or the first id of that time. */
type ToKey = (time: Date) => Date | string;

/** Selects rows created on these days by their ids, which sort by time. */
export const createdOn = (id: PgColumn, days: LocalDays, range: DayRange): SQL | undefined =>
  between(id, [days], range, firstIdAt);

/** Selects rows created on these days of their stores by their ids. Rows without a store have the merchant's days. */
export const createdInStoresOn = (
  columns: { at: PgColumn; storeId: PgColumn },
  days: StoreDays,
  range: DayRange,
): SQL | undefined => onStoreDays(columns, days, range, firstIdAt);

/** Selects what happened on these days, in each store by its own hours, and without a store by the merchant's. */
export function onStoreDays(
  { at, storeId }: { at: PgColumn; storeId: PgColumn },
  days: StoreDays,
  range: DayRange,
  toKey: ToKey = (time) => time,
): SQL | undefined {
  const others = [...days.startsAtOfStores.keys()].map((id) => ({ id, own: daysOfStore(days, id) }));
  // Also in the usual case, so that an index on the time is used.
  const widest = between(at, [days, ...others.map(({ own }) => own)], range, toKey);
  if (others.length === 0 || widest === undefined) return widest;
  const isOfRest = or(
    isNull(storeId),
    notInArray(
      storeId,
      others.map(({ id }) => id),
    ),
  );
  return and(
    widest,
    or(
      and(isOfRest, between(at, [days], range, toKey)),
      ...others.map(({ id, own }) => and(eq(storeId, id), between(at, [own], range, toKey))),
    ),
  );
}

/** From the earliest start of the first day to the latest end of the last. */
function between(at: PgColumn, all: LocalDays[], { from, until }: DayRange, toKey: ToKey): SQL | undefined {
  const startsOf = (date: string) => all.map((days) => startOfDate(date, days).getTime());
  return and(
    ifGiven(from, (day) => gte(at, toKey(new Date(Math.min(...startsOf(day)))))),
    ifGiven(until, (day) => lt(at, toKey(new Date(Math.max(...startsOf(addToDate(day, 1))))))),
  );
}
