import { tzOffset } from '@date-fns/tz';
import type { Merchant } from '../core/context';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

type Quiet = Pick<Merchant, 'quietHours' | 'timeZone'>;

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The minute of the day that a clock on the wall shows. */
const minuteIn = (timeZone: string, at: Date): number => {
  const minutes = Math.floor(at.getTime() / minuteMs) + tzOffset(timeZone, at);
  return ((minutes % dayMinutes) + dayMinutes) % dayMinutes;
};

/** Whether it is quiet then, by the clock on the merchant's wall. */
export function isQuiet({ quietHours, timeZone }: Quiet, at: Date): boolean {
  if (quietHours === null) return false;
  const [minute, from, until] = [minuteIn(timeZone, at), toMinutes(quietHours.from), toMinutes(quietHours.until)];
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** When something can be sent that is due `at`: then, or when the quiet hours end, also where clocks change within them. */
export function afterQuietHours(merchant: Quiet, at: Date): Date {
  const { quietHours, timeZone } = merchant;
  if (quietHours === null || !isQuiet(merchant, at)) return at;
  const wait = (toMinutes(quietHours.until) - minuteIn(timeZone, at) + dayMinutes) % dayMinutes;
  const end = new Date((Math.floor(at.getTime() / minuteMs) + wait) * minuteMs);
  const changed = tzOffset(timeZone, end) - tzOffset(timeZone, at);
  const moved = new Date(end.getTime() - changed * minuteMs);
  // Where clocks skip the very end, the hour that they go forward is part of the wait.
  return isQuiet(merchant, moved) ? end : moved;
}
