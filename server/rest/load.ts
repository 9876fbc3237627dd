import { DomainError } from '@/server/domain/core/errors';

/** More at once would only wait, each longer than its client does. */
const mostAtWork = 256;
/** Of one key, so that its crowd leaves room for the others. */
const mostOfKey = 128;

/** What was not begun, because of all the rest. */
export const tooMuchAtOnce = () =>
  new DomainError('service_unavailable', 'The service has too much to do. Send the same request again.');

/** Keeps count of the requests that a process works on, and refuses those beyond what it can bear. */
export function createLoad() {
  let atWork = 0;
  const ofKeys = new Map<string, number>();
  const begin = (key: string) => {
    atWork += 1;
    ofKeys.set(key, (ofKeys.get(key) ?? 0) + 1);
  };
  const end = (key: string) => {
    atWork -= 1;
    const left = (ofKeys.get(key) ?? 0) - 1;
    if (left > 0) ofKeys.set(key, left);
    else ofKeys.delete(key);
  };
  return {
    /** Errors: `rate_limited` where the key has too many at work, `service_unavailable` where all together have. */
    async carry<T>(key: string, work: () => Promise<T>): Promise<T> {
      if ((ofKeys.get(key) ?? 0) >= mostOfKey) {
        throw new DomainError('rate_limited', 'Too many requests at once. Please wait a moment and try again.', {
          retryAfterSeconds: 1,
        });
      }
      if (atWork >= mostAtWork) throw tooMuchAtOnce();
      begin(key);
      return work().finally(() => end(key));
    },
    /** What a request waits for before it can be worked on, such as a body that comes slowly. */
    async pause<T>(key: string, wait: () => Promise<T>): Promise<T> {
      end(key);
      return wait().finally(() => begin(key));
    },
  };
}
