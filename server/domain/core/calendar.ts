import { tz } from '@date-fns/tz';
import { addDays, addMonths, endOfDay, endOfMonth, formatISO } from 'date-fns';

/** The last millisecond of the day that is `days` after `from`, in `timeZone`. */
export function endOfDayAfter(from: Date, days: number, timeZone: string): Date {
  const zone = tz(timeZone);
  return new Date(endOfDay(addDays(from, days, { in: zone }), { in: zone }).getTime());
}

/** The last millisecond of the month that is `months` after `from`, in `timeZone`. */
export function endOfMonthAfter(from: Date, months: number, timeZone: string): Date {
  const zone = tz(timeZone);
  return new Date(endOfMonth(addMonths(from, months, { in: zone }), { in: zone }).getTime());
}

/** The date at `instant` in `timeZone`, `YYYY-MM-DD`. */
export function dateIn(timeZone: string, instant: Date): string {
  return formatISO(instant, { representation: 'date', in: tz(timeZone) });
}
