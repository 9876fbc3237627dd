import { TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';

/** Longer than a stream takes to start. */
export const overdueMs = 15_000;

class Overdue extends Error {
  override name = 'Overdue';
}

/** True if a stream was abandoned because it did not start in time. */
export const isOverdue = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.cause instanceof Overdue;

/**
 * Abandons a stream that neither starts in time nor fails, initially or after a cut, because a proxy may be buffering
 * it. The connection state notifies the subscriber, and the error reaches `retryLink`, which comes before this link.
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
