/** When a failed webhook is sent again. */

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The pauses after the first attempts. The last one repeats. */
const pausesMs = [10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 12 * hour];
const giveUpAfterMs = 72 * hour;
const disableAfterMs = 120 * hour;

/**
 * Returns when to try again after so many failed attempts; null three days after it was queued. Adds up to a fifth at
 * random, so that deliveries that failed together are not repeated together.
 */
export function nextTry(
  { attempts, queuedAt }: { attempts: number; queuedAt: Date },
  now: Date,
  random = Math.random(),
): Date | null {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] as number;
  const next = now.getTime() + Math.round(pauseMs * (1 + random / 5));
  return next - queuedAt.getTime() > giveUpAfterMs ? null : new Date(next);
}

/**
 * True once an endpoint has failed for five days, and its event, queued in that time, for an hour. If events are rare,
 * the first failure in days may be over in a minute.
 */
export const isGivenUp = (failingSince: Date, queuedAt: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= disableAfterMs && now.getTime() - queuedAt.getTime() >= hour;
