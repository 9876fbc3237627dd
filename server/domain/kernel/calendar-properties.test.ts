/** Days and months in every zone around clock changes. The database must calculate the same. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { instant, zone, zones } from '@/server/testing/dates';
import { loadZone } from '../merchants/load-zone';
import { addToDate, dateIn, endOfDate, endOfDayAfter, endOfMonthAfter, startOfDate } from './calendar';

const database = sharedDatabase();

beforeAll(async () => {
  for (const name of zones) await loadZone(database.db.pool, name);
});

test('an instant is within its day, and days are adjacent without gaps', () => {
  fc.assert(
    fc.property(zone, instant, (timeZone, at) => {
      const date = dateIn({ timeZone }, at);
      const [start, end] = [startOfDate(date, { timeZone }), endOfDate(date, { timeZone })];
      expect(start <= at && at <= end).toBe(true);
      expect([dateIn({ timeZone }, start), dateIn({ timeZone }, end)]).toEqual([date, date]);
      expect(new Date(end.getTime() + 1)).toEqual(startOfDate(addToDate(date, 1), { timeZone }));
      expect(dateIn({ timeZone }, new Date(start.getTime() - 1))).toBe(addToDate(date, -1));
    }),
    { numRuns: 500 },
  );
});

test('n days later is n dates later, at the end of the day', () => {
  fc.assert(
    fc.property(zone, instant, fc.integer({ min: 0, max: 800 }), (timeZone, at, days) => {
      const end = endOfDayAfter(at, days, { timeZone });
      expect(end).toEqual(endOfDate(addToDate(dateIn({ timeZone }, at), days), { timeZone }));
    }),
    { numRuns: 500 },
  );
});

test('n months later is the last day of that month, whatever the day was', () => {
  fc.assert(
    fc.property(zone, instant, fc.integer({ min: 1, max: 120 }), (timeZone, at, months) => {
      const [year = 0, month = 0] = dateIn({ timeZone }, at).split('-').map(Number);
      const last = new Date(Date.UTC(year, month + months, 0)).toISOString().slice(0, 10);
      expect(endOfMonthAfter(at, months, { timeZone })).toEqual(endOfDate(last, { timeZone }));
    }),
    { numRuns: 500 },
  );
});

test('the database calculates the same date', async () => {
  const samples = fc.sample(fc.tuple(zone, instant), 2_000);
  const rows = await database.owner`
    select zone, at, (at at time zone zone)::date::text as date
    from unnest(${samples.map(([name]) => name)}::text[], ${samples.map(([, at]) => at.toISOString())}::timestamptz[]) s (zone, at)`;
  expect(new Set(rows.map((row) => row.zone)).size).toBe(zones.length);
  expect(rows.filter((row) => row.date !== dateIn({ timeZone: row.zone }, row.at))).toEqual([]);
});
