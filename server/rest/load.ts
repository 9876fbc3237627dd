import { DomainError } from '@/server/domain/core/errors';
import { verbatim } from '@/server/domain/core/say';

/** More at once would only wait, each longer than its client does. */
const mostAtWork = 256;
/** Some more for keys that worked lately and have nothing at work: such a till is served, however many flood the rest. */
const mostWithFirsts = mostAtWork + 64;
/** For one key, or for the new keys of a network, so that its crowd leaves room for the others. */
const mostOfSlot = 128;

/** What was not begun, because of all the rest. */
export const tooMuchAtOnce = () =>
  new DomainError('service_unavailable', verbatim('The service has too much to do. Send the same request again.'));

/** Keeps count of the requests that a process works on, and refuses those beyond what it can bear. */
export function createLoad() {
  let atWork = 0;
  const ofSlots = new Map<string, number>();
  const begin = (slot: string) => {
    atWork += 1;
    ofSlots.set(slot, (ofSlots.get(slot) ?? 0) + 1);
  };
  const end = (slot: string) => {
    atWork -= 1;
    const left = (ofSlots.get(slot) ?? 0) - 1;
    if (left > 0) ofSlots.set(slot, left);
    else ofSlots.delete(slot);
  };
  return {
    /** Errors: `rate_limited` where the slot has too many at work, `service_unavailable` where all together have. */
    async carry<T>(slot: string, isKnown: boolean, work: () => Promise<T>): Promise<T> {
      const ofSlot = ofSlots.get(slot) ?? 0;
      if (ofSlot >= mostOfSlot) {
        throw new DomainError(
          'rate_limited',
          verbatim('Too many requests at once. Please wait a moment and try again.'),
          {
            retryAfterSeconds: 1,
          },
        );
      }
      if (atWork >= (isKnown && ofSlot === 0 ? mostWithFirsts : mostAtWork)) throw tooMuchAtOnce();
      begin(slot);
      return work().finally(() => end(slot));
    },
    /** What a request waits for before it can be worked on, such as a body that comes slowly. */
    async pause<T>(slot: string, wait: () => Promise<T>): Promise<T> {
      end(slot);
      return wait().finally(() => begin(slot));
    },
  };
}
