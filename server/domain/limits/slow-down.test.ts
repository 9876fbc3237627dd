import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitInTurn } from './slow-down';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reasonOf = (work: Promise<void>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );

test('four wait for one key, and thirty-two in all; those beyond are refused for a moment, and the next wait again', async () => {
  const attempts = Array.from({ length: 12 }, (_, key) =>
    Array.from({ length: 5 }, (_, at) => waitInTurn(`${key}`, `192.0.2.${at}`, 8_000)),
  );
  const outcomes = Promise.all(attempts.flat().map(reasonOf));
  await vi.advanceTimersByTimeAsync(8_000);
  const waited = (await outcomes).map((one) => one === 'done');
  expect(waited.filter(Boolean)).toHaveLength(32);
  expect(waited.slice(0, 5)).toEqual([true, true, true, true, false]);
  const next = reasonOf(waitInTurn('0', '192.0.2.1', 1_000));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

test('eight of one client wait, from however many networks of its /48, and leave room for others', async () => {
  const own = Array.from({ length: 12 }, (_, at) => reasonOf(waitInTurn(`own ${at}`, `2001:db8:1:${at}::1`, 8_000)));
  const other = reasonOf(waitInTurn('other', '2001:db8:2::1', 8_000));
  await vi.advanceTimersByTimeAsync(8_000);
  const outcomes = await Promise.all(own);
  expect(outcomes).toEqual([...Array(8).fill('done'), ...Array(4).fill('too_many_attempts')]);
  expect(await other).toBe('done');
});
