import { invalid } from './errors';
import { say } from './say';

const oldestDays = 31;
const furthestAheadMinutes = 5;

/**
 * Returns when a request happened at the till. Errors: `invalid_request` for a time that no delay of a till explains.
 */
export function checkOccurredAt(given: string | undefined, now: Date): Date {
  if (given === undefined) return now;
  const occurredAt = new Date(given);
  const ageMs = now.getTime() - occurredAt.getTime();
  if (ageMs > oldestDays * 24 * 60 * 60_000) throw invalid('occurredAt', say('tooLongAgo', { count: oldestDays }));
  if (-ageMs > furthestAheadMinutes * 60_000) {
    throw invalid('occurredAt', say('tooFarAhead', { count: furthestAheadMinutes }));
  }
  return occurredAt;
}
