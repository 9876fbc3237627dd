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

/** Clocks change at a quarter of an hour, and by less than this. */
const mostChange = 120;

/** When something can be sent that is due `at`: then, or when the quiet hours end, also where clocks change within them. */
export function afterQuietHours(merchant: Quiet, at: Date): Date {
  let sent = at;
  while (merchant.quietHours !== null && isQuiet(merchant, sent)) {
    const minute = Math.floor(sent.getTime() / minuteMs);
    const left = (toMinutes(merchant.quietHours.until) - minuteIn(merchant.timeZone, sent) + dayMinutes) % dayMinutes;
    // Up to two hours before the end at once, and from there by the quarter, at which the wall's clock is looked at again.
    const step = left > mostChange ? left - mostChange : Math.min(left, 15 - (minute % 15));
    sent = new Date((minute + step) * minuteMs);
  }
  return sent;
}
