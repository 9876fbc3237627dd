import { DomainError } from '@/server/domain/kernel/errors';
import { verbatim } from '@/server/domain/kernel/say';

/** Max concurrent requests. With more, requests would wait longer than their clients do. */
const maxConcurrent = 256;
/**
 * Extra room for keys that worked recently and have no request in progress, so that such a till is served during any
 * flood.
 */
const maxConcurrentWithReserve = maxConcurrent + 64;
/** Max per key, or per network for its new keys, so that a crowd leaves room for others. */
const maxPerSlot = 128;

/** 503: at capacity. */
export const overloadedError = () =>
  new DomainError('service_unavailable', verbatim('The service has too much to do. Send the same request again.'));

/** Counts the requests that a process works on, and refuses those beyond its capacity. */
export function createLoad() {
  let inProgress = 0;
  const inProgressBySlot = new Map<string, number>();
  const begin = (slot: string) => {
    inProgress += 1;
    inProgressBySlot.set(slot, (inProgressBySlot.get(slot) ?? 0) + 1);
  };
  const end = (slot: string) => {
    inProgress -= 1;
    const left = (inProgressBySlot.get(slot) ?? 0) - 1;
    if (left > 0) inProgressBySlot.set(slot, left);
    else inProgressBySlot.delete(slot);
  };
  return {
    /** Errors: `rate_limited` if the slot is full, `service_unavailable` if the process is. */
    async run<T>(slot: string, isKnown: boolean, work: () => Promise<T>): Promise<T> {
      const inSlot = inProgressBySlot.get(slot) ?? 0;
      if (inSlot >= maxPerSlot) {
        throw new DomainError(
          'rate_limited',
          verbatim('Too many requests at once. Please wait a moment and try again.'),
          {
            retryAfterSeconds: 1,
          },
        );
      }
      if (inProgress >= (isKnown && inSlot === 0 ? maxConcurrentWithReserve : maxConcurrent)) throw overloadedError();
      begin(slot);
      return work().finally(() => end(slot));
    },
    /** Frees the slot while a request waits, for example for a slow body. */
    async pause<T>(slot: string, wait: () => Promise<T>): Promise<T> {
      end(slot);
      return wait().finally(() => begin(slot));
    },
  };
}
