import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { loadZone } from '../merchants/load-zone';
import { dateIn, endOfDate, endOfDayAfter, endOfMonthAfter, nextBusinessDay, startOfDate } from './calendar';

const singapore = { timeZone: 'Asia/Singapore' };

/** Days of 23, 24 and 25 hours. In most of these places clocks change at midnight. */
const hoursOfDays: [string, string, number][] = [
  ['Asia/Singapore', '2026-11-20', 24],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['America/Santiago', '2026-04-04', 25],
  ['America/Santiago', '2026-09-06', 23],
  ['Africa/Cairo', '2026-04-24', 23],
  ['Africa/Cairo', '2026-10-29', 25],
  ['Asia/Beirut', '2026-03-29', 23],
  ['America/Havana', '2026-11-01', 25],
];

const database = sharedDatabase();

beforeAll(async () => {
  for (const [zone] of hoursOfDays) await loadZone(database.db.pool, zone);
});

describe.each(hoursOfDays)('in %s, %s', (timeZone, date, hours) => {
  const days = { timeZone };
  const bounds = () => [startOfDate(date, days), endOfDate(date, days)] as const;

  test(`has ${hours} hours, all on that date and no others`, () => {
    const [start, end] = bounds();
    expect(end.getTime() + 1 - start.getTime()).toBe(hours * 60 * 60_000);
    expect([dateIn(days, start), dateIn(days, end)]).toEqual([date, date]);
    expect(dateIn(days, new Date(start.getTime() - 1)) < date).toBe(true);
    expect(dateIn(days, new Date(end.getTime() + 1)) > date).toBe(true);
  });

  test('is the last valid day, to its last millisecond', () => {
    const [start, end] = bounds();
    expect(endOfDayAfter(new Date(start.getTime() + 1), 0, days)).toEqual(end);
    expect(endOfDayAfter(new Date(start.getTime() - 1), 1, days)).toEqual(end);
  });
});

test('a month ends with its last day, however short it is', () => {
  expect(endOfMonthAfter(new Date('2026-01-31T04:00:00Z'), 1, singapore)).toEqual(endOfDate('2026-02-28', singapore));
});

test('the next business day begins at five in the morning, also after midnight', () => {
  const morning = new Date('2026-11-20T21:00:00Z');
  for (const at of ['2026-11-20T15:30:00Z', '2026-11-20T16:30:00Z', '2026-11-20T20:59:59Z']) {
    expect(nextBusinessDay(new Date(at), singapore)).toEqual(morning);
  }
  expect(nextBusinessDay(morning, singapore)).toEqual(new Date('2026-11-21T21:00:00Z'));
});
