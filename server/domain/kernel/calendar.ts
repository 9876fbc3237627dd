import { tz } from '@date-fns/tz';
import { addDays, addMonths, endOfMonth, formatISO, parseISO, set, startOfDay } from 'date-fns';

/** Returns the last millisecond of the day `days` after `from`, in `timeZone`. */
export function endOfDayAfter(from: Date, days: number, timeZone: string): Date {
  return endOfDate(dateIn(timeZone, addDays(from, days, { in: tz(timeZone) })), timeZone);
}

/** Returns the last millisecond of the month `months` after `from`, in `timeZone`. */
export function endOfMonthAfter(from: Date, months: number, timeZone: string): Date {
  const zone = tz(timeZone);
  return endOfDate(dateIn(timeZone, endOfMonth(addMonths(from, months, { in: zone }), { in: zone })), timeZone);
}

/** Returns the date at `instant` in `timeZone`, `YYYY-MM-DD`. */
export function dateIn(timeZone: string, instant: Date): string {
  return formatISO(instant, { representation: 'date', in: tz(timeZone) });
}

/** Returns the first instant of `date` (`YYYY-MM-DD`) in `timeZone`. */
export function startOfDate(date: string, timeZone: string): Date {
  const zone = tz(timeZone);
  return new Date(startOfDay(parseISO(date, { in: zone }), { in: zone }).getTime());
}

/**
 * Returns the last millisecond of `date` (`YYYY-MM-DD`) in `timeZone`. If clocks go back at midnight, it is that of the
 * second 23:59.
 */
export function endOfDate(date: string, timeZone: string): Date {
  return new Date(startOfDate(addToDate(date, 1), timeZone).getTime() - 1);
}

/** Returns the date `days` after `date`, or before it if negative. */
export function addToDate(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The hour at which a restaurant's business day ends. Some close after midnight. */
const businessDayStartsAt = 5;

/**
 * Returns the start of the next business day, 05:00 in `timeZone`: the coming morning, at 23:30 as well as at 00:30.
 */
export function nextBusinessDay(from: Date, timeZone: string): Date {
  const zone = tz(timeZone);
  const today = set(startOfDay(from, { in: zone }), { hours: businessDayStartsAt });
  return new Date((today > from ? today : addDays(today, 1)).getTime());
}
