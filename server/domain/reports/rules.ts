import { addDays, differenceInCalendarDays, formatISO, parseISO, subDays } from 'date-fns';
import { dateIn } from '../kernel/calendar';
import type { Merchant, Services } from '../kernel/context';
import type { Period } from './schemas';

/** What a report needs. The worker reads reports, too. */
export type ReportContext = Services & { merchant: Merchant };

/** Cuts future days off the period. A period that has not begun stays as it is: nothing was recorded in it. */
export function untilToday<Input extends Period>({ merchant, clock }: ReportContext, input: Input): Input {
  // A store's day may begin before the merchant's: at midnight at the earliest.
  const today = dateIn({ ...merchant, dayStartsAt: 0 }, clock.now());
  return input.from <= today && today < input.to ? { ...input, to: today } : input;
}

/** Returns the same number of days before the period. */
export function periodBefore<Input extends Period>(input: Input): Input {
  const first = parseISO(input.from);
  const length = differenceInCalendarDays(parseISO(input.to), first) + 1;
  const print = (day: Date) => formatISO(day, { representation: 'date' });
  return { ...input, from: print(subDays(first, length)), to: print(subDays(first, 1)) };
}

/** Lists the period's days, `YYYY-MM-DD`. */
export function daysOf({ from, to }: Period): string[] {
  const first = parseISO(from);
  return Array.from({ length: differenceInCalendarDays(parseISO(to), first) + 1 }, (_, n) =>
    formatISO(addDays(first, n), { representation: 'date' }),
  );
}
