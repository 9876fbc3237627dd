import { TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';

/** Longer than a stream takes to begin. */
export const overdueMs = 15_000;

class Overdue extends Error {
  override name = 'Overdue';
}

/** Whether a stream was given up because it did not begin in time. */
export const isOverdue = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.cause instanceof Overdue;

/**
 * Gives up a stream that does not begin in time, at first or after a cut, and does not fail either: a proxy may keep it
 * to itself. The state of the connection says so to whoever listens, and the error to `retryLink`, which stands above.
 */
export const beginInTime =
  <Router extends AnyTRPCRouter>(): TRPCLink<Router> =>
  () => {
    return ({ op, next }) =>
      observable((observer) => {
        let overdue: ReturnType<typeof setTimeout> | undefined;
        const disarm = () => clearTimeout(overdue);
        const arm = () => {
          disarm();
          overdue = setTimeout(() => {
            const error = TRPCClientError.from<Router>(new Overdue('the stream did not begin'));
            observer.next({ result: { type: 'state', state: 'connecting', error } });
            observer.error(error);
          }, overdueMs);
        };
        arm();
        const stream = next(op).subscribe({
          next: (envelope) => {
            const { result } = envelope;
            if (result.type === 'state' && result.state === 'connecting') arm();
            else disarm();
            observer.next(envelope);
          },
          error: (error) => {
            disarm();
            observer.error(error);
          },
          complete: () => {
            disarm();
            observer.complete();
          },
        });
        return () => {
          disarm();
          stream.unsubscribe();
        };
      });
  };
