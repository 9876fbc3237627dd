/** Slows attempts down where a refusal would let anyone lock out those whom they name. */
import type { Database } from '@/db/driver';
import type { Clock } from '../kernel/clock';
import { siteOf } from '../kernel/networks';
import { countAttempt, tooManyAttempts } from './throttle';

interface Pace {
  /** As of a throttle. */
  key: string;
  /** The address of the client. */
  client: string;
  /** Attempts that are not slowed down. */
  free: number;
  windowSeconds: number;
}

/** The waiting time doubles from one second on, this many times. A browser waits for longer than the last. */
const doublings = 3;
/**
 * Attempts that wait keep a connection each, so they are few in this process, and fewer for one key and one client, who
 * may own all of a /48 of IPv6.
 */
const maxWaiting = 32;
const maxWaitingForKey = 4;
const maxWaitingForClient = 8;

/**
 * Counts an attempt across all instances, and waits for up to 8 seconds if there were many lately. Errors:
 * `too_many_attempts` for some seconds, if many wait already.
 */
export async function slowDown(
  services: { db: Database; systemClock: Clock },
  { key, client, free, windowSeconds }: Pace,
): Promise<void> {
  const { attempts } = await countAttempt(services, { key, attempts: free + doublings, windowSeconds });
  if (attempts > free) await waitInTurn(key, client, 1000 * 2 ** (attempts - free - 1));
}

const waiting = new Map<string, number>();
let allWaiting = 0;

/** Waits, if not too many wait already. Errors: `too_many_attempts`. */
export async function waitInTurn(key: string, client: string, ms: number): Promise<void> {
  const places = [
    [`key ${key}`, maxWaitingForKey],
    [`client ${siteOf(client)}`, maxWaitingForClient],
  ] as const;
  if (allWaiting >= maxWaiting || places.some(([place, most]) => (waiting.get(place) ?? 0) >= most)) {
    throw tooManyAttempts(Math.ceil(ms / 1000));
  }
  const change = (by: 1 | -1) => {
    allWaiting += by;
    for (const [place] of places) {
      const count = (waiting.get(place) ?? 0) + by;
      if (count > 0) waiting.set(place, count);
      else waiting.delete(place);
    }
  };
  change(1);
  await new Promise((resolve) => setTimeout(resolve, ms));
  change(-1);
}
