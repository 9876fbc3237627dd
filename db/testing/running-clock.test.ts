import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runningClock } from './running-clock';

test('what a process waits and what it computes is counted', async () => {
  const clock = runningClock();
  await wait(300);
  const until = performance.now() + 500;
  while (performance.now() < until);
  expect(clock.elapsed()).toBeGreaterThan(600);
  expect(clock.stop()).toBeLessThan(10_000);
});

test('the time in which it is kept from running is not', async () => {
  const clock = runningClock();
  // As where the machine stands still: no timer runs, and nothing is computed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect(clock.stop()).toBeLessThan(600);
});
