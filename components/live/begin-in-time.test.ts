import { TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginInTime, isOverdue, overdueMs } from './begin-in-time';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream behind the link: what it tells goes in by `source`, what comes out is in `heard`. */
function open() {
  const heard: unknown[] = [];
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
    next: ({ result }) => heard.push(result.type === 'state' && result.error ? 'told' : result.type),
    error: (error) => heard.push(isOverdue(error) ? 'given up' : 'failed'),
  });
  return { heard, stream, unsubscribe };
}

interface SourceOf {
  next(envelope: { result: object }): void;
  error(error: unknown): void;
}

const connecting = { result: { type: 'state', state: 'connecting', error: null } };
const started = { result: { type: 'started' } };

test('a stream that neither begins nor fails is given up, and whoever listens is told', () => {
  const { heard, stream } = open();
  vi.advanceTimersByTime(overdueMs - 1);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(['told', 'given up']);
  expect(stream.isOpen).toBe(false);
});

test('one that has begun is left alone, however quiet it is', () => {
  const { heard, stream } = open();
  stream.source.next(started);
  vi.advanceTimersByTime(10 * overdueMs);
  expect(heard).toEqual(['started']);
  expect(stream.isOpen).toBe(true);
});

test('one that was cut has as long again', () => {
  const { heard, stream } = open();
  stream.source.next(started);
  vi.advanceTimersByTime(overdueMs);
  stream.source.next(connecting);
  vi.advanceTimersByTime(overdueMs - 1);
  expect(heard).toEqual(['started', 'state']);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(['started', 'state', 'told', 'given up']);
});

test('one that fails, or that nobody listens to any more, is not given up', () => {
  const failed = open();
  failed.stream.source.error(TRPCClientError.from(new Error('502')));
  const left = open();
  left.unsubscribe();
  vi.advanceTimersByTime(overdueMs);
  expect(failed.heard).toEqual(['failed']);
  expect(left.heard).toEqual([]);
  expect(left.stream.isOpen).toBe(false);
});
