import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDinerClient } from './diner-client';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The result within `ms`, or `null`. */
const within = (ms: number, request: Promise<unknown>) =>
  Promise.race([request.catch((error) => error), vi.advanceTimersByTimeAsync(ms).then(() => null)]);

const untilAborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(new Error('aborted'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });

const silences: [string, typeof fetch][] = [
  ['a request that nobody answers', (_, init) => untilAborted(init?.signal)],
  [
    'an answer that breaks off',
    async (_, init) => Object.assign(new Response(), { json: () => untilAborted(init?.signal) }),
  ],
];
const account = () => createDinerClient({ merchantId: 'm1' });
const askers: [string, () => Promise<unknown>][] = [
  ['a form of the account', () => account().identity.requestCode.mutate({ phone: '+6591234567' })],
  ['the look at a top-up', () => account().topUps.get.query({ topUpRequestId: 't1' })],
  ['the table', () => createDinerClient({ tableToken: 't' }).table.get.query({ language: null })],
];

test.each(silences.flatMap(([silence, send]) => askers.map(([asker, ask]) => [silence, asker, send, ask] as const)))(
  '%s is given up after a while: %s',
  async (_silence, _asker, send, ask) => {
    vi.stubGlobal('fetch', send);
    const request = ask();
    expect(await within(14_000, request)).toBeNull();
    expect(await within(1_100, request)).toBeInstanceOf(Error);
  },
);

test('a request that its page aborts is aborted', async () => {
  vi.stubGlobal('fetch', silences[0]?.[1]);
  const leaving = new AbortController();
  const request = account().topUps.get.query({ topUpRequestId: 't1' }, { signal: leaving.signal });
  leaving.abort();
  await expect(request).rejects.toThrow();
});
