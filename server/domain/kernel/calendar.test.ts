import { describe, expect, test } from 'vitest';
import { dateIn, endOfDate, endOfDayAfter, endOfMonthAfter, nextBusinessDay, startOfDate } from './calendar';

/** Days of 23, 24 and 25 hours. In most of these places clocks change at midnight. */
describe.each([
  ['Asia/Singapore', '2026-11-20', 24],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['America/Santiago', '2026-04-04', 25],
  ['America/Santiago', '2026-09-06', 23],
  ['Africa/Cairo', '2026-04-24', 23],
  ['Africa/Cairo', '2026-10-29', 25],
  ['Asia/Beirut', '2026-03-29', 23],
  ['America/Havana', '2026-11-01', 25],
])('in %s, %s', (zone, date, hours) => {
  const [start, end] = [startOfDate(date, zone), endOfDate(date, zone)];

  test(`has ${hours} hours, all on that date and no others`, () => {
    expect(end.getTime() + 1 - start.getTime()).toBe(hours * 60 * 60_000);
    expect([dateIn(zone, start), dateIn(zone, end)]).toEqual([date, date]);
    expect(dateIn(zone, new Date(start.getTime() - 1)) < date).toBe(true);
    expect(dateIn(zone, new Date(end.getTime() + 1)) > date).toBe(true);
  });

  test('is the last valid day, to its last millisecond', () => {
    expect(endOfDayAfter(new Date(start.getTime() + 1), 0, zone)).toEqual(end);
    expect(endOfDayAfter(new Date(start.getTime() - 1), 1, zone)).toEqual(end);
  });
});

test('a month ends with its last day, however short it is', () => {
  expect(endOfMonthAfter(new Date('2026-01-31T04:00:00Z'), 1, 'Asia/Singapore')).toEqual(
    endOfDate('2026-02-28', 'Asia/Singapore'),
  );
});

test('the next business day begins at five in the morning, also after midnight', () => {
  const morning = new Date('2026-11-20T21:00:00Z');
  for (const at of ['2026-11-20T15:30:00Z', '2026-11-20T16:30:00Z', '2026-11-20T20:59:59Z']) {
    expect(nextBusinessDay(new Date(at), 'Asia/Singapore')).toEqual(morning);
  }
  expect(nextBusinessDay(morning, 'Asia/Singapore')).toEqual(new Date('2026-11-21T21:00:00Z'));
});
