import { describe, expect, test } from 'vitest';
import { isGivenUp, nextTry } from './timetable';

const start = new Date('2026-11-20T04:00:00Z');
const hour = 3_600_000;

/** The times of the attempts, in seconds from the first. */
function attemptsOf(random: number): number[] {
  const attempts = [0];
  let now: Date | null = start;
  while (true) {
    now = nextTry({ attempts: attempts.length, queuedAt: start }, now, random);
    if (now === null) return attempts;
    attempts.push((now.getTime() - start.getTime()) / 1000);
  }
}

describe('a webhook that fails', () => {
  test('is sent again with growing pauses for three days', () => {
    const hours = [2.6, 7.6, 17.6, 29.6, 41.6, 53.6, 65.6];
    expect(attemptsOf(0).map((seconds) => (seconds < 7_200 ? seconds : Math.floor(seconds / 360) / 10))).toEqual([
      ...[0, 10, 70, 370, 2_170],
      ...hours,
    ]);
  });

  test('waits up to a fifth longer by chance, and never beyond the three days', () => {
    const late = attemptsOf(1);
    expect(late.slice(0, 3)).toEqual([0, 12, 84]);
    expect(late.at(-1)).toBeLessThan(72 * 3_600);
    expect(late.length).toBeGreaterThan(8);
  });
});

test('an endpoint is given up after five days, if an event has failed for an hour', () => {
  const [failedFor, queuedFor] = [
    [119, 120, 200],
    [0.9, 1],
  ];
  const before = (hours: number) => new Date(start.getTime() - hours * hour);
  expect(
    failedFor.map((failed) => queuedFor.map((queued) => isGivenUp(before(failed), before(queued), start))),
  ).toEqual([
    ...[
      [false, false],
      [false, true],
      [false, true],
    ],
  ]);
});
