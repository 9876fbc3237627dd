/** Asks who is there before a dangerous request: the request waits for the dialog, and is then sent again. */
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { useSyncExternalStore } from 'react';

interface Question {
  answer: (isConfirmed: boolean) => void;
  /** Shared by all requests that wait for the answer. */
  answered: Promise<boolean>;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function show(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The open question, for the dialog. */
export const useQuestion = (): Question | null =>
  useSyncExternalStore(
    subscribe,
    () => question,
    () => null,
  );

/**
 * Asks who is there. Resolves to true once that is confirmed, and to false if the person cancels or no screen can ask.
 */
export function askToConfirm(): Promise<boolean> {
  if (question) return question.answered;
  if (listeners.size === 0) return Promise.resolve(false);
  let answer: Question['answer'] = () => {};
  const answered = new Promise<boolean>((resolve) => {
    answer = (isConfirmed) => {
      show(null);
      resolve(isConfirmed);
    };
  });
  show({ answer, answered });
  return answered;
}

/** True for a request that was not sent again because the person cancelled. It needs no error message. */
export const isUnconfirmed = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.data?.reason === 'confirmation_required';

/** Sends a request again after the person has confirmed who they are. */
export const confirmLink =
  <Router extends AnyRouter>(): TRPCLink<Router> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let current = send(true);
      function send(canAsk: boolean): { unsubscribe(): void } {
        return next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: async (error) => {
            if (!canAsk || !isUnconfirmed(error) || !(await askToConfirm())) observer.error(error);
            else current = send(false);
          },
        });
      }
      return () => current.unsubscribe();
    });
