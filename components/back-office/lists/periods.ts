import { formatISO, parseISO, startOfISOWeek, startOfMonth, startOfYear, subDays, subMonths, subWeeks } from 'date-fns';

/** The periods that people ask for, by their names in `reports.presets`. */
export const periods = [
  'today',
  'yesterday',
  'thisWeek',
  'lastWeek',
  'week',
  'month',
  'thisMonth',
  'lastMonth',
  'thisYear',
] as const;
export type Period = (typeof periods)[number];

const print = (day: Date) => formatISO(day, { representation: 'date' });

/** Returns the days of a period, relative to `today` (`YYYY-MM-DD`). */
export function daysOf(period: Period, today: string): { from: string; to: string } {
  const day = parseISO(today);
  const starts: Record<Period, Date> = {
    today: day,
    yesterday: subDays(day, 1),
    thisWeek: startOfISOWeek(day),
    lastWeek: startOfISOWeek(subWeeks(day, 1)),
    week: subDays(day, 6),
    month: subDays(day, 29),
    thisMonth: startOfMonth(day),
    lastMonth: startOfMonth(subMonths(day, 1)),
    thisYear: startOfYear(day),
  };
  const ends: Partial<Record<Period, Date>> = {
    yesterday: starts.yesterday,
    lastWeek: subDays(starts.thisWeek, 1),
    lastMonth: subDays(starts.thisMonth, 1),
  };
  return { from: print(starts[period]), to: print(ends[period] ?? day) };
}
