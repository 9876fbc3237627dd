import {
  addDays,
  differenceInCalendarDays,
  endOfMonth,
  formatISO,
  isEqual,
  isLastDayOfMonth,
  isSameMonth,
  isSameYear,
  parseISO,
  startOfYear,
  subDays,
  subMonths,
  subWeeks,
  subYears,
} from 'date-fns';
import { dateIn } from '../kernel/calendar';
import type { Merchant, Services } from '../kernel/context';
import type { Comparison, Period } from './schemas';

/** What a report needs. The worker reads reports, too. */
export type ReportContext = Services & { merchant: Merchant };

/** Cuts future days off the period. A period that has not begun stays as it is: nothing was recorded in it. */
export function untilToday<Input extends Period>({ merchant, clock }: ReportContext, input: Input): Input {
  // A store's day may begin before the merchant's: at midnight at the earliest.
  const today = dateIn({ ...merchant, dayStartsAt: 0 }, clock.now());
  return input.from <= today && today < input.to ? { ...input, to: today } : input;
}

/**
 * Returns the period that a report is compared with. Before whole days of a month come the same days of the month
 * before, before a whole month or year the whole one before, and before all else the same number of days.
 */
export function periodBefore<Input extends Period>(input: Input): Input {
  const [first, last] = [parseISO(input.from), parseISO(input.to)];
  const [from, to] = shiftBack[input.compare ?? 'before'](first, last);
  return { ...input, from: printDay(from), to: printDay(to) };
}

const shiftBack: Record<Comparison, (first: Date, last: Date) => [Date, Date]> = {
  before: (first, last) => {
    if (first.getDate() === 1 && isSameMonth(first, last)) return monthBefore(first, last);
    if (isEqual(first, startOfYear(first)) && isSameYear(first, last)) return yearBefore(first, last);
    const length = differenceInCalendarDays(last, first) + 1;
    return [subDays(first, length), subDays(first, 1)];
  },
  lastWeek: (first, last) => {
    const weeks = Math.ceil((differenceInCalendarDays(last, first) + 1) / 7);
    return [subWeeks(first, weeks), subWeeks(last, weeks)];
  },
  lastYear: yearBefore,
};

function monthBefore(first: Date, last: Date): [Date, Date] {
  const to = subMonths(last, 1);
  return [subMonths(first, 1), isLastDayOfMonth(last) ? endOfMonth(to) : to];
}

function yearBefore(first: Date, last: Date): [Date, Date] {
  return [subYears(first, 1), subYears(last, 1)];
}

const printDay = (day: Date) => formatISO(day, { representation: 'date' });

/** Lists the period's days, `YYYY-MM-DD`. */
export function daysOf({ from, to }: Period): string[] {
  const first = parseISO(from);
  return Array.from({ length: differenceInCalendarDays(parseISO(to), first) + 1 }, (_, n) =>
    printDay(addDays(first, n)),
  );
}
