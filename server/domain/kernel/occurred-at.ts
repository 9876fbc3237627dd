import type { Merchant } from './context';
import { invalid } from './errors';
import { say } from './say';

/** How far clocks of tills may differ. */
export const furthestAheadMinutes = 5;

/**
 * Returns when a request happened at the till. By a till's clock that is some minutes ahead, it happens now: later, it
 * would be on the next bill with its number. Errors: `invalid_request` for a time further ahead, or further back than the
 * merchant accepts.
 */
export function checkOccurredAt(
  given: string | undefined,
  now: Date,
  { backdatingDays: days }: Merchant,
  path: 'occurredAt' | 'openedAt' = 'occurredAt',
): Date {
  if (given === undefined) return now;
  const occurredAt = new Date(given);
  const ageMs = now.getTime() - occurredAt.getTime();
  if (ageMs > days * 24 * 60 * 60_000) throw invalid(path, say('tooLongAgo', { count: days }));
  if (-ageMs > furthestAheadMinutes * 60_000) {
    throw invalid(path, say('tooFarAhead', { count: furthestAheadMinutes }));
  }
  return ageMs < 0 ? now : occurredAt;
}
