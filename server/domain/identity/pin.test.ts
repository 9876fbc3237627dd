import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEasyPin } from './easy-pin';
import { countGuess, type PinState, randomPin } from './pin';

const fresh: PinState = { failures: 0, lockouts: 0, lockedUntil: null };
const start = new Date('2026-11-20T10:00:00Z');
const later = (seconds: number, from = start) => new Date(from.getTime() + seconds * 1_000);
const quarter = 15 * 60;
const day = 24 * 60 * 60;

/** The state after several guesses at one moment. A locked PIN counts no guesses. */
const guessed = (state: PinState, guesses: boolean[], now = start) =>
  guesses.reduce((current, isRight) => countGuess(current, isRight, now) ?? current, state);

const wrong = (times: number) => Array.from({ length: times }, () => false);

describe('countGuess', () => {
  test('four wrong guesses do not lock, the fifth locks for 15 minutes', () => {
    expect(guessed(fresh, wrong(4))).toEqual({ failures: 4, lockouts: 0, lockedUntil: null });
    expect(guessed(fresh, wrong(5))).toEqual({ failures: 0, lockouts: 1, lockedUntil: later(quarter) });
  });

  test('while it is locked no guess is checked, right or wrong', () => {
    const locked = guessed(fresh, wrong(5));
    for (const seconds of [0, 1, quarter - 0.001]) {
      expect(countGuess(locked, true, later(seconds))).toBeNull();
      expect(countGuess(locked, false, later(seconds))).toBeNull();
    }
  });

  test('when the lock ends, five guesses are allowed again', () => {
    const locked = guessed(fresh, wrong(5));
    expect(countGuess(locked, true, later(quarter))).toEqual(fresh);
    expect(countGuess(locked, false, later(quarter))).toEqual({ failures: 1, lockouts: 1, lockedUntil: null });
  });

  test('each further lock lasts twice as long, up to a day', () => {
    let state = fresh;
    let now = start;
    const lengths: number[] = [];
    for (let i = 0; i < 60; i++) {
      state = guessed(state, wrong(5), now);
      const until = state.lockedUntil ?? now;
      lengths.push((until.getTime() - now.getTime()) / 1_000);
      now = until;
    }
    expect(lengths.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64].map((times) => times * quarter).concat(day));
    expect(new Set(lengths.slice(8))).toEqual(new Set([day]));
  });

  test('a right guess clears the count and the doubling', () => {
    const locked = guessed(fresh, wrong(5));
    expect(guessed(locked, [false, false, true], later(quarter))).toEqual(fresh);
  });

  test('stays within its bounds for any guesses at any times', () => {
    const step = fc.record({ isRight: fc.boolean(), waitSeconds: fc.oneof(fc.constant(0), fc.nat(2 * day)) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        let state = fresh;
        let now = start;
        let wrongInARow = 0;
        for (const { isRight, waitSeconds } of steps) {
          now = later(waitSeconds, now);
          const isLocked = state.lockedUntil !== null && state.lockedUntil > now;
          const next = countGuess(state, isRight, now);
          expect(next === null).toBe(isLocked);
          if (next === null) continue;
          wrongInARow = isRight ? 0 : wrongInARow + 1;
          expect(next.failures).toBe(wrongInARow % 5);
          expect(next.lockouts).toBe(Math.floor(wrongInARow / 5));
          expect(next.lockedUntil !== null).toBe(wrongInARow > 0 && wrongInARow % 5 === 0);
          const lockSeconds = ((next.lockedUntil ?? now).getTime() - now.getTime()) / 1_000;
          expect(lockSeconds).toBe(next.lockedUntil ? Math.min(quarter * 2 ** (next.lockouts - 1), day) : 0);
          state = next;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('at most five guesses are checked in any 15 minutes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(600), { minLength: 6, maxLength: 200 }), (waits) => {
        let state = fresh;
        let now = start;
        const looks: number[] = [];
        for (const seconds of waits) {
          now = later(seconds, now);
          const next = countGuess(state, false, now);
          if (next === null) continue;
          looks.push(now.getTime());
          state = next;
        }
        // Each fifth guess locks the PIN for at least a quarter of an hour.
        for (let i = 5; i < looks.length; i += 5) {
          expect((looks[i] ?? 0) - (looks[i - 1] ?? 0)).toBeGreaterThanOrEqual(quarter * 1_000);
        }
      }),
    );
  });
});

test('a random PIN has four digits, and every digit occurs', () => {
  const pins = Array.from({ length: 3_000 }, randomPin);
  for (const pin of pins) expect(pin).toMatch(/^[0-9]{4}$/);
  expect(pins.filter(isEasyPin)).toEqual([]);
  for (const at of [0, 1, 2, 3]) expect(new Set(pins.map((pin) => pin[at])).size).toBe(10);
});

describe('isEasyPin', () => {
  test.each([
    ...['1234', '1111', '0000', '1212', '7777', '2000', '4444', '2222', '6969', '9999', '3333', '5555', '6666'],
    ...['1122', '1313', '8888', '4321', '2001', '1010', '1221', '2580', '0852', '1987', '7890', '0123', '9876', '3210'],
  ])('%s', (pin) => {
    expect(isEasyPin(pin)).toBe(true);
  });

  test('leaves nineteen in twenty to choose from', () => {
    const all = Array.from({ length: 10_000 }, (_, at) => String(at).padStart(4, '0'));
    expect(all.filter(isEasyPin).length).toBeLessThan(500);
    expect(['4831', '7702', '1235', '2468', '1899', '2100'].filter(isEasyPin)).toEqual([]);
  });
});
