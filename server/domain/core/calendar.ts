import { tz } from '@date-fns/tz';
import { addDays, addMonths, endOfMonth, formatISO, parseISO, set, startOfDay } from 'date-fns';

/** The last millisecond of the day that is `days` after `from`, in `timeZone`. */
export function endOfDayAfter(from: Date, days: number, timeZone: string): Date {
  return endOfDate(dateIn(timeZone, addDays(from, days, { in: tz(timeZone) })), timeZone);
}

/** The last millisecond of the month that is `months` after `from`, in `timeZone`. */
export function endOfMonthAfter(from: Date, months: number, timeZone: string): Date {
  const zone = tz(timeZone);
  return endOfDate(dateIn(timeZone, endOfMonth(addMonths(from, months, { in: zone }), { in: zone })), timeZone);
}

/** The date at `instant` in `timeZone`, `YYYY-MM-DD`. */
export function dateIn(timeZone: string, instant: Date): string {
  return formatISO(instant, { representation: 'date', in: tz(timeZone) });
}

/** The first instant of `date` (`YYYY-MM-DD`) in `timeZone`. */
export function startOfDate(date: string, timeZone: string): Date {
  const zone = tz(timeZone);
  return new Date(startOfDay(parseISO(date, { in: zone }), { in: zone }).getTime());
}

/** The last millisecond of `date` (`YYYY-MM-DD`) in `timeZone`: where clocks go back at midnight, the second 23:59. */
export function endOfDate(date: string, timeZone: string): Date {
  return new Date(startOfDate(addToDate(date, 1), timeZone).getTime() - 1);
}

/** The date that is `days` after `date`, or before it where they are negative. */
export function addToDate(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** When a restaurant's day is over, also one that closes after midnight. */
const businessDayStartsAt = 5;

/** The start of the next business day, 05:00 in `timeZone`: at 23:30 and at 00:30 alike the coming morning. */
export function nextBusinessDay(from: Date, timeZone: string): Date {
  const zone = tz(timeZone);
  const today = set(startOfDay(from, { in: zone }), { hours: businessDayStartsAt });
  return new Date((today > from ? today : addDays(today, 1)).getTime());
}

/** How days and times are written for readers of a language: as the merchant's country does, where they read its own. */
export const regionFor = (locale: string, language: string): string =>
  new Intl.Locale(locale).language === language ? locale : language;
