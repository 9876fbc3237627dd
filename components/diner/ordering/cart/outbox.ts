import type { PendingOrder } from './cart';

/** The outcome of an order. `held`: the diner must confirm that they still want it. */
export type Outcome = { kind: 'placed' } | { kind: 'refused'; reason: string | null } | { kind: 'held' };

interface Delivery {
  /** Resolves when the service has placed it. Rejects with the service's refusal or a network error. */
  send(order: PendingOrder): Promise<unknown>;
  /** Waits for `ms`, or until the connection improves. */
  pause(ms: number): Promise<void>;
  /** Called when there is no response after this many attempts. */
  onSilence(tries: number): void;
  signal: AbortSignal;
}

/**
 * Returns a refusal: the service has read the order and declined it. Returns null for any other error, after which the
 * order may have been placed.
 */
function toRejection(error: unknown): Outcome | null {
  const { httpStatus, reason = null } =
    (error as { data?: { httpStatus?: number; reason?: string | null } })?.data ?? {};
  const isAnswer = httpStatus && httpStatus >= 400 && httpStatus < 500 && ![408, 425, 429].includes(httpStatus);
  return isAnswer ? { kind: 'refused', reason } : null;
}

const maxUnconfirmedMs = 5 * 60_000;

/** True if it is too old to send without asking, because the diner may have ordered from a waiter meanwhile. */
const isLate = ({ askedAt }: PendingOrder): boolean => Date.now() - askedAt > maxUnconfirmedMs;

/** 1 s, 2 s, 4 s … 30 s. */
export const backOffMs = (tries: number): number => Math.min(30_000, 1000 * 2 ** (tries - 1));

/**
 * Sends an order, always with the same id, until its outcome is known or it is held. It is placed once, however often
 * it is sent. Resolves to null when the page is closed.
 */
export async function deliverOrders(
  order: PendingOrder,
  { send, pause, onSilence, signal }: Delivery,
): Promise<Outcome | null> {
  for (let tries = 1; !signal.aborted; tries++) {
    if (isLate(order)) return { kind: 'held' };
    try {
      await send(order);
      return { kind: 'placed' };
    } catch (error) {
      const refusal = toRejection(error);
      if (refusal) return refusal;
      if (signal.aborted) break;
      onSilence(tries);
      await pause(backOffMs(tries));
    }
  }
  return null;
}

/** Resolves after `ms`, or at once when the network returns or the page becomes visible. */
export function pauseUntilBetter(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', done);
      resolve();
    };
    // A page that is left changes, too: what it sent then would arrive unheard.
    const look = () => {
      if (document.visibilityState === 'visible') done();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', done);
  });
}
