import { expect, test } from 'vitest';
import { runningClock } from './running-clock';

test('what a process computes is counted, however long it looks at nothing else', () => {
  const clock = runningClock();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 500_000);
  expect(clock.stop()).toBeGreaterThan(400);
});

test('the time in which it is kept from running is not', () => {
  const clock = runningClock();
  // As where the machine stands still: no timer runs, and nothing is computed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect(clock.stop()).toBeLessThan(600);
});
