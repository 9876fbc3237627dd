import { fromLocal, toLocal } from './zones';

/** How a merchant, or one of its stores, counts days. */
export interface LocalDays {
  timeZone: string;
  /** The hour at which a day starts, 0 to 6. Until then it is still the day before. */
  dayStartsAt: number;
}

/** How a merchant counts days. Some of its stores start them at another hour. */
export interface StoreDays extends LocalDays {
  startsAtOfStores: ReadonlyMap<string, number>;
}

/** Returns how a store counts days. */
export const daysOfStore = ({ timeZone, dayStartsAt, startsAtOfStores }: StoreDays, storeId: string): LocalDays => ({
  timeZone,
  dayStartsAt: startsAtOfStores.get(storeId) ?? dayStartsAt,
});

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Returns the date of the day that `instant` is in, `YYYY-MM-DD`. */
export const dateIn = ({ timeZone, dayStartsAt }: LocalDays, instant: Date): string =>
  new Date(toLocal(timeZone, instant).getTime() - dayStartsAt * hourMs).toISOString().slice(0, 10);

/** Returns the first instant of `date` (`YYYY-MM-DD`). */
export const startOfDate = (date: string, { timeZone, dayStartsAt }: LocalDays): Date =>
  fromLocal(timeZone, new Date(Date.parse(date) + dayStartsAt * hourMs));

/**
 * Returns the last millisecond of `date` (`YYYY-MM-DD`): if clocks go back at its end, of the second 23:59.
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
export const daysBefore = (instant: Date, count: number, { timeZone }: Pick<LocalDays, 'timeZone'>): Date =>
  fromLocal(timeZone, new Date(toLocal(timeZone, instant).getTime() - count * dayMs));

/** Returns the date `count` days after `date`, or before it if negative. */
export const addToDate = (date: string, count: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);

/** Returns the first instant of the next day. */
export const startOfNextDay = (instant: Date, days: LocalDays): Date =>
  startOfDate(addToDate(dateIn(days, instant), 1), days);
