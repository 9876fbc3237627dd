/** Slows attempts down where a refusal would let anyone lock out those whom they name. */
import type { Database } from '@/db/client';
import type { Clock } from '../domain/kernel/clock';
import { countAttempt, tooManyAttempts } from './throttle';

interface Pace {
  /** As of a throttle. */
  key: string;
  /** Attempts that are not slowed down. */
  free: number;
  windowSeconds: number;
}

/** The waiting time doubles from one second on, this many times. A browser waits for longer than the last. */
const doublings = 3;
/** Attempts that wait keep a connection each, so they are few in this process, and fewer for one key. */
const maxWaiting = 32;
const maxWaitingForKey = 4;

/**
 * Counts an attempt across all instances, and waits for up to 8 seconds if there were many lately. Errors:
 * `too_many_attempts` for some seconds, if many wait already.
 */
export async function slowDown(
  services: { db: Database; systemClock: Clock },
  { key, free, windowSeconds }: Pace,
): Promise<void> {
  const { attempts } = await countAttempt(services, { key, attempts: free + doublings, windowSeconds });
  if (attempts > free) await waitInTurn(key, 1000 * 2 ** (attempts - free - 1));
}

const waiting = new Map<string, number>();
let allWaiting = 0;

/** Waits, if not too many wait already. Errors: `too_many_attempts`. */
export async function waitInTurn(key: string, ms: number): Promise<void> {
  const forKey = waiting.get(key) ?? 0;
  if (allWaiting >= maxWaiting || forKey >= maxWaitingForKey) throw tooManyAttempts(Math.ceil(ms / 1000));
  waiting.set(key, forKey + 1);
  allWaiting += 1;
  await new Promise((resolve) => setTimeout(resolve, ms));
  allWaiting -= 1;
  const left = (waiting.get(key) ?? 0) - 1;
  if (left > 0) waiting.set(key, left);
  else waiting.delete(key);
}
