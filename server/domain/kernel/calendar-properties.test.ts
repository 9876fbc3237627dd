/** Days and months in every zone around clock changes. The database must calculate the same. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { instant, zone, zones } from '@/server/testing/dates';
import { loadZone } from '../merchants/load-zone';
import { dateAt } from '../reports/facts';
import { addToDate, dateIn, endOfDate, endOfDayAfter, endOfMonthAfter, startOfDate } from './calendar';

const database = sharedDatabase();
const anyDays = fc.record({ timeZone: zone, dayStartsAt: fc.integer({ min: 0, max: 6 }) });

beforeAll(async () => {
  for (const name of zones) await loadZone(database.db.pool, name);
});

test('an instant is within its day, and days are adjacent without gaps', () => {
  fc.assert(
    fc.property(anyDays, instant, (days, at) => {
      const date = dateIn(days, at);
      const [start, end] = [startOfDate(date, days), endOfDate(date, days)];
      expect(start <= at && at <= end).toBe(true);
      expect([dateIn(days, start), dateIn(days, end)]).toEqual([date, date]);
      expect(new Date(end.getTime() + 1)).toEqual(startOfDate(addToDate(date, 1), days));
      expect(dateIn(days, new Date(start.getTime() - 1))).toBe(addToDate(date, -1));
    }),
    { numRuns: 500 },
  );
});

test('n days later is n dates later, at the end of the day', () => {
  fc.assert(
    fc.property(anyDays, instant, fc.integer({ min: 0, max: 800 }), (days, at, count) => {
      const end = endOfDayAfter(at, count, days);
      expect(end).toEqual(endOfDate(addToDate(dateIn(days, at), count), days));
    }),
    { numRuns: 500 },
  );
});

test('n months later is the last day of that month, whatever the day was', () => {
  fc.assert(
    fc.property(anyDays, instant, fc.integer({ min: 1, max: 120 }), (days, at, months) => {
      const [year = 0, month = 0] = dateIn(days, at).split('-').map(Number);
      const last = new Date(Date.UTC(year, month + months, 0)).toISOString().slice(0, 10);
      expect(endOfMonthAfter(at, months, days)).toEqual(endOfDate(last, days));
    }),
    { numRuns: 500 },
  );
});

test('the database calculates the same date', async () => {
  const samples = fc.sample(fc.tuple(anyDays, instant), 500);
  const dates = samples.map(([days, at]) => sql<string>`${dateAt(sql`${at.toISOString()}::timestamptz`, days)}::text`);
  const rows = await database.db.pool
    .select({ dates: sql<string[]>`array[${sql.join(dates, sql`, `)}]` })
    .from(sql`(values (1)) v`);
  expect(rows[0]?.dates).toEqual(samples.map(([days, at]) => dateIn(days, at)));
});
