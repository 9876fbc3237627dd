import type { PendingOrder } from './cart';

/** What became of an order: `held` until the diner has been asked whether it still is wanted. */
export type Outcome = { kind: 'placed' } | { kind: 'refused'; reason: string | null } | { kind: 'held' };

interface Delivery {
  /** Resolves when the service has placed it; rejects with its refusal, or with whatever went wrong on the way. */
  send(order: PendingOrder): Promise<unknown>;
  /** Waits so long, or until it looks better. */
  pause(ms: number): Promise<void>;
  /** No answer yet, after this many tries. */
  onSilence(tries: number): void;
  signal: AbortSignal;
}

/** Refusals are answers: the service has read the order and said no. Anything else may have been placed. */
function refusalOf(error: unknown): Outcome | null {
  const { httpStatus, reason = null } =
    (error as { data?: { httpStatus?: number; reason?: string | null } })?.data ?? {};
  const isAnswer = httpStatus && httpStatus >= 400 && httpStatus < 500 && ![408, 425, 429].includes(httpStatus);
  return isAnswer ? { kind: 'refused', reason } : null;
}

const longestUnaskedMs = 5 * 60_000;

/** Too old to be sent without asking: the diner may have ordered from the waiter meanwhile. */
const isLate = ({ askedAt }: PendingOrder): boolean => Date.now() - askedAt > longestUnaskedMs;

/** 1 s, 2 s, 4 s … 30 s. */
export const backOffMs = (tries: number): number => Math.min(30_000, 1000 * 2 ** (tries - 1));

/**
 * Sends an order, always under its own id, until an answer is known or it is held: however often it is sent, it is
 * placed once. Resolves to null when the page gives up listening.
 */
export async function deliver(
  order: PendingOrder,
  { send, pause, onSilence, signal }: Delivery,
): Promise<Outcome | null> {
  for (let tries = 1; !signal.aborted; tries++) {
    if (isLate(order)) return { kind: 'held' };
    try {
      await send(order);
      return { kind: 'placed' };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return refusal;
      if (signal.aborted) break;
      onSilence(tries);
      await pause(backOffMs(tries));
    }
  }
  return null;
}

/** Resolves after so long; at once when the network comes back or the page is looked at again. */
export function pauseUntilBetter(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done);
  });
}
