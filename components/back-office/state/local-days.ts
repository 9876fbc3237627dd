/** Days as this browser computes them, to preselect one. The server decides what a day is. */
import { tz } from '@date-fns/tz';
import { formatISO, getHours, parseISO, startOfDay, subDays } from 'date-fns';

/** Returns the date at `instant` in `timeZone`, `YYYY-MM-DD`. */
export const dateIn = (timeZone: string, instant: Date): string =>
  formatISO(instant, { representation: 'date', in: tz(timeZone) });

interface BusinessDays {
  timeZone: string;
  dayStartsAt: number;
}

/** Returns the date of the merchant's day that `instant` is in, `YYYY-MM-DD`. */
export function businessDateIn({ timeZone, dayStartsAt }: BusinessDays, instant: Date): string {
  const zone = { in: tz(timeZone) };
  const isBefore = getHours(instant, zone) < dayStartsAt;
  return formatISO(isBefore ? subDays(instant, 1, zone) : instant, { representation: 'date', ...zone });
}

/** Returns the first instant of `date` (`YYYY-MM-DD`) in `timeZone`. */
export function startOfDate(date: string, timeZone: string): Date {
  const zone = tz(timeZone);
  return new Date(startOfDay(parseISO(date, { in: zone }), { in: zone }).getTime());
}
