import type { Database } from '@/db/driver';
import type { Clock } from '../kernel/clock';
import { countAttempt } from './throttle';

const most = 1_000;

/**
 * Counts a refusal of the hour across all instances. Returns the number if it is to be recorded: the 1st, 10th, 100th and
 * 1,000th, so that an attacker fills no log. Past those it only reads.
 */
export async function countRefusal(
  services: { db: Database; systemClock: Clock },
  refused: string,
): Promise<number | null> {
  const limit = { key: `refused ${refused}`, attempts: most, windowSeconds: 60 * 60 };
  const { attempts } = await countAttempt(services, limit);
  return attempts <= most && Number.isInteger(Math.log10(attempts)) ? attempts : null;
}
