import { fromLocal, toLocal } from './zones';

/** How a merchant counts days. */
export interface LocalDays {
  timeZone: string;
}

const dayMs = 86_400_000;

/** Returns the date at `instant`, `YYYY-MM-DD`. */
export const dateIn = ({ timeZone }: LocalDays, instant: Date): string =>
  toLocal(timeZone, instant).toISOString().slice(0, 10);

/** Returns the first instant of `date` (`YYYY-MM-DD`). */
export const startOfDate = (date: string, { timeZone }: LocalDays): Date => fromLocal(timeZone, new Date(date));

/**
 * Returns the last millisecond of `date` (`YYYY-MM-DD`): if clocks go back at midnight, of the second 23:59.
 */
export const endOfDate = (date: string, days: LocalDays): Date =>
  new Date(startOfDate(addToDate(date, 1), days).getTime() - 1);

/** Returns the last millisecond of the day `count` days after that of `from`. */
export const endOfDayAfter = (from: Date, count: number, days: LocalDays): Date =>
  endOfDate(addToDate(dateIn(days, from), count), days);

/** Returns the last millisecond of the month `months` after that of `from`. */
export function endOfMonthAfter(from: Date, months: number, days: LocalDays): Date {
  const [year, month] = dateIn(days, from).split('-').map(Number) as [number, number];
  return endOfDate(new Date(Date.UTC(year, month + months, 0)).toISOString().slice(0, 10), days);
}

/** Returns the first instant of the day that `instant` is in. */
export const startOfDay = (instant: Date, days: LocalDays): Date => startOfDate(dateIn(days, instant), days);

/** Returns the instant at the same time of day, `count` days before. */
export const daysBefore = (instant: Date, count: number, { timeZone }: LocalDays): Date =>
  fromLocal(timeZone, new Date(toLocal(timeZone, instant).getTime() - count * dayMs));

/** Returns the date `count` days after `date`, or before it if negative. */
export const addToDate = (date: string, count: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);

/** The hour at which a restaurant's business day ends. Some close after midnight. */
const businessDayStartsAt = 5;

/** Returns the start of the next business day, 05:00. At both 23:30 and 00:30 it is the coming morning. */
export function nextBusinessDay(from: Date, { timeZone }: LocalDays): Date {
  const startMs = businessDayStartsAt * 3_600_000;
  const date = new Date(toLocal(timeZone, from).getTime() - startMs).toISOString().slice(0, 10);
  return fromLocal(timeZone, new Date(Date.parse(addToDate(date, 1)) + startMs));
}
