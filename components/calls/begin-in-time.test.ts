import { TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginInTime, isOverdue, overdueMs } from './begin-in-time';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a stream through the link. `source` feeds it, and `events` has what the link passes on. */
function open() {
  const events: unknown[] = [];
  const stream = { source: null as unknown as SourceOf, isOpen: true };
  const link = (beginInTime() as TRPCLink<AnyTRPCRouter>)({});
  const answered = link({
    op: { id: 1, type: 'subscription', path: 'changes', input: undefined, context: {}, signal: null },
    next: () =>
      observable((source) => {
        stream.source = source as SourceOf;
        return () => {
          stream.isOpen = false;
        };
      }),
  });
  const { unsubscribe } = answered.subscribe({
    next: ({ result }) => events.push(result.type === 'state' && result.error ? 'error state' : result.type),
    error: (error) => events.push(isOverdue(error) ? 'abandoned' : 'failed'),
  });
  return { events, stream, unsubscribe };
}

interface SourceOf {
  next(envelope: { result: object }): void;
  error(error: unknown): void;
}

const connecting = { result: { type: 'state', state: 'connecting', error: null } };
const started = { result: { type: 'started' } };

test('a stream that neither starts nor fails is abandoned, and its subscriber is notified', () => {
  const { events, stream } = open();
  vi.advanceTimersByTime(overdueMs - 1);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual(['error state', 'abandoned']);
  expect(stream.isOpen).toBe(false);
});

test('one that has started is kept, however long it is silent', () => {
  const { events, stream } = open();
  stream.source.next(started);
  vi.advanceTimersByTime(10 * overdueMs);
  expect(events).toEqual(['started']);
  expect(stream.isOpen).toBe(true);
});

test('one that was cut gets the full time again', () => {
  const { events, stream } = open();
  stream.source.next(started);
  vi.advanceTimersByTime(overdueMs);
  stream.source.next(connecting);
  vi.advanceTimersByTime(overdueMs - 1);
  expect(events).toEqual(['started', 'state']);
  vi.advanceTimersByTime(1);
  expect(events).toEqual(['started', 'state', 'error state', 'abandoned']);
});

test('one that fails, or has no subscriber any more, is not abandoned', () => {
  const failed = open();
  failed.stream.source.error(TRPCClientError.from(new Error('502')));
  const left = open();
  left.unsubscribe();
  vi.advanceTimersByTime(overdueMs);
  expect(failed.events).toEqual(['failed']);
  expect(left.events).toEqual([]);
  expect(left.stream.isOpen).toBe(false);
});
