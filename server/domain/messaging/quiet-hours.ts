import type { Merchant } from '../kernel/context';
import { toLocal } from '../kernel/zones';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

type Quiet = Pick<Merchant, 'quietHours' | 'timeZone'>;

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns the local minute of the day. */
const minuteIn = (timeZone: string, at: Date): number => {
  const local = toLocal(timeZone, at);
  return local.getUTCHours() * 60 + local.getUTCMinutes();
};

/** True if `at` is within the merchant's quiet hours. */
export function isQuiet({ quietHours, timeZone }: Quiet, at: Date): boolean {
  if (quietHours === null) return false;
  const [minute, from, until] = [minuteIn(timeZone, at), toMinutes(quietHours.from), toMinutes(quietHours.until)];
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** The most minutes that clocks change by. They change on a quarter of an hour. */
const maxClockChange = 120;

/**
 * Returns when something due `at` can be sent: then, or at the end of the quiet hours, even if clocks change in
 * between.
 */
export function afterQuietHours(merchant: Quiet, at: Date): Date {
  let sent = at;
  while (merchant.quietHours !== null && isQuiet(merchant, sent)) {
    const minute = Math.floor(sent.getTime() / minuteMs);
    const left = (toMinutes(merchant.quietHours.until) - minuteIn(merchant.timeZone, sent) + dayMinutes) % dayMinutes;
    // Goes to two hours before the end, then on by quarter hours, reading the local time each time.
    const step = left > maxClockChange ? left - maxClockChange : Math.min(left, 15 - (minute % 15));
    sent = new Date((minute + step) * minuteMs);
  }
  return sent;
}
