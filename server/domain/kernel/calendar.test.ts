import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { loadZone } from '../merchants/load-zone';
import { dateIn, endOfDate, endOfDayAfter, endOfMonthAfter, startOfDate, startOfNextDay } from './calendar';

const singapore = { timeZone: 'Asia/Singapore', dayStartsAt: 0 };

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
  const days = { timeZone, dayStartsAt: 0 };
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

test('a day that starts at five goes on after midnight', () => {
  const days = { timeZone: 'Asia/Singapore', dayStartsAt: 5 };
  const morning = new Date('2026-11-20T21:00:00Z');
  for (const at of ['2026-11-20T15:30:00Z', '2026-11-20T16:30:00Z', '2026-11-20T20:59:59Z']) {
    expect(dateIn(days, new Date(at))).toBe('2026-11-20');
    expect(startOfNextDay(new Date(at), days)).toEqual(morning);
  }
  expect(startOfNextDay(morning, days)).toEqual(new Date('2026-11-21T21:00:00Z'));
});

// Clocks are changed at two in New York: forward to three, and back to one.
test.each([
  ['2026-03-07', 0, '2026-03-07T05:00:00Z', 24],
  ['2026-03-07', 2, '2026-03-07T07:00:00Z', 24],
  ['2026-03-07', 4, '2026-03-07T09:00:00Z', 23],
  ['2026-03-08', 2, '2026-03-08T07:00:00Z', 23],
  ['2026-03-08', 4, '2026-03-08T08:00:00Z', 24],
  ['2026-10-31', 1, '2026-10-31T05:00:00Z', 24],
  ['2026-10-31', 4, '2026-10-31T08:00:00Z', 25],
  ['2026-11-01', 1, '2026-11-01T05:00:00Z', 25],
  ['2026-11-01', 4, '2026-11-01T09:00:00Z', 24],
])('the day %s that starts at %d o’clock starts at %s and has %d hours', (date, dayStartsAt, start, hours) => {
  const days = { timeZone: 'America/New_York', dayStartsAt };
  expect(startOfDate(date, days)).toEqual(new Date(start));
  expect(endOfDate(date, days).getTime() + 1 - Date.parse(start)).toBe(hours * 60 * 60_000);
});
