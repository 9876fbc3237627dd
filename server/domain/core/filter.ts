/** What lists of the back office are filtered by. */
import type { Fragment, Tx } from '@/db/client';
import { addToDate, startOfDate } from './calendar';
import { firstIdAt } from './ids';

/** The condition on a field of a filter; none where the field is not given, so that it is in nobody's way to an index. */
export const ifGiven = <Value>(
  { sql }: Tx,
  value: Value | undefined,
  condition: (value: Value) => Fragment,
): Fragment => (value === undefined ? sql`true` : condition(value));

interface Days {
  from?: string | undefined;
  until?: string | undefined;
}

/** Rows made on these days, by their ids, which sort by time. The column is the code's own, never a request's. */
export function madeOn(tx: Tx, column: string, timeZone: string, { from, until }: Days): Fragment {
  const { sql } = tx;
  const id = sql.unsafe(column);
  const start = ifGiven(tx, from, (day) => sql`${id} >= ${firstIdAt(startOfDate(day, timeZone))}`);
  const end = ifGiven(tx, until, (day) => sql`${id} < ${firstIdAt(startOfDate(addToDate(day, 1), timeZone))}`);
  return sql`${start} and ${end}`;
}
