import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backOffMs, deliverOrders, pauseUntilBetter } from './outbox';

const askedAt = Date.parse('2026-11-20T12:00:00Z');
const order = { clientOrderId: 'one', lines: [], note: '', askedAt };
beforeEach(() => void vi.useFakeTimers({ now: askedAt }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refusal = (httpStatus: number, reason: string | null) =>
  Object.assign(new Error(), { data: { httpStatus, reason } });
const never = new AbortController().signal;

/** The possible fates of one request in the network and the service. */
type Fate = 'placed' | 'lostBefore' | 'lostAfter' | 'busy' | 'broken' | 'soldOut';

/** A service that places an order once, behind a network that loses requests and responses. */
function startService(fates: Fate[]) {
  const placed: string[] = [];
  const pauses: number[] = [];
  const send = async ({ clientOrderId }: typeof order) => {
    const fate = fates.shift() ?? 'placed';
    if (fate === 'lostBefore') throw new TypeError('Failed to fetch');
    if (fate === 'busy') throw refusal(429, 'too_many_attempts');
    if (fate === 'broken') throw refusal(500, null);
    if (fate === 'soldOut' && !placed.includes(clientOrderId)) throw refusal(409, 'items_unavailable');
    if (!placed.includes(clientOrderId)) placed.push(clientOrderId);
    if (fate === 'lostAfter') throw new TypeError('Failed to fetch');
    return {};
  };
  const pause = async (ms: number) => void pauses.push(ms);
  return { placed, pauses, delivery: { send, pause, onSilence: () => {}, signal: never } };
}

test('an order is sent until its outcome is known, with growing pauses', async () => {
  const { placed, pauses, delivery } = startService(['lostBefore', 'lostAfter', 'broken', 'busy']);
  expect(await deliverOrders(order, delivery)).toEqual({ kind: 'placed' });
  expect(placed).toEqual(['one']);
  expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  expect(backOffMs(99)).toBe(30_000);
});

test('a rejection is an outcome, with its reason', async () => {
  const { pauses, delivery } = startService(['lostBefore', 'soldOut']);
  expect(await deliverOrders(order, delivery)).toEqual({ kind: 'refused', reason: 'items_unavailable' });
  expect(pauses).toHaveLength(1);
});

test('whatever is lost, the reported outcome is true, and the order is placed at most once', async () => {
  const fates = fc.array(fc.constantFrom<Fate>('placed', 'lostBefore', 'lostAfter', 'busy', 'broken', 'soldOut'));
  await fc.assert(
    fc.asyncProperty(fates, async (all) => {
      const { placed, delivery } = startService([...all]);
      const outcome = await deliverOrders(order, delivery);
      expect(placed).toEqual(outcome?.kind === 'placed' ? ['one'] : []);
    }),
  );
});

test('an order older than five minutes is held: nothing is sent before the diner confirms', async () => {
  const { placed, delivery } = startService([]);
  vi.setSystemTime(askedAt + 5 * 60_000 + 1);
  expect(await deliverOrders(order, delivery)).toEqual({ kind: 'held' });
  expect(placed).toEqual([]);
  expect(await deliverOrders({ ...order, askedAt: Date.now() }, delivery)).toEqual({ kind: 'placed' });
});

test('when the network returns after five minutes, the order is held', async () => {
  const { placed, delivery } = startService(['lostBefore', 'lostBefore']);
  const pause = async () => void vi.setSystemTime(Date.now() + 3 * 60_000);
  expect(await deliverOrders(order, { ...delivery, pause })).toEqual({ kind: 'held' });
  expect(placed).toEqual([]);
});

test('a closed page reports no outcome: the next page continues', async () => {
  const leaving = new AbortController();
  const { delivery } = startService(['lostAfter']);
  const outcome = deliverOrders(order, { ...delivery, signal: leaving.signal, pause: async () => leaving.abort() });
  expect(await outcome).toBeNull();
});

test('a pause ends when the page becomes visible, not when it is left', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const ended = vi.fn();
  const pause = pauseUntilBetter(30_000, never).then(ended);
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).not.toHaveBeenCalled();
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await pause;
  expect(ended).toHaveBeenCalledOnce();
});
