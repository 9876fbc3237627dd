/** Days as this browser knows them: to preselect one. What a day is, the server decides. */
import { tz } from '@date-fns/tz';
import { formatISO, parseISO, startOfDay } from 'date-fns';

/** Returns the date at `instant` in `timeZone`, `YYYY-MM-DD`. */
export const dateIn = (timeZone: string, instant: Date): string =>
  formatISO(instant, { representation: 'date', in: tz(timeZone) });

/** Returns the first instant of `date` (`YYYY-MM-DD`) in `timeZone`. */
export function startOfDate(date: string, timeZone: string): Date {
  const zone = tz(timeZone);
  return new Date(startOfDay(parseISO(date, { in: zone }), { in: zone }).getTime());
}
