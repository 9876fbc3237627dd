import { addDays, differenceInCalendarDays, formatISO, parseISO } from 'date-fns';
import { dateIn } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import type { Period } from './schemas';

/** Cuts future days off the period. */
export function untilToday<Input extends Period>({ merchant, clock }: StaffContext, input: Input): Input {
  const today = dateIn(merchant.timeZone, clock.now());
  const earlier = (day: string) => (day < today ? day : today);
  return { ...input, from: earlier(input.from), to: earlier(input.to) };
}

/** Lists its days, `YYYY-MM-DD`. */
export function daysOf({ from, to }: Period): string[] {
  const first = parseISO(from);
  return Array.from({ length: differenceInCalendarDays(parseISO(to), first) + 1 }, (_, n) =>
    formatISO(addDays(first, n), { representation: 'date' }),
  );
}
