import { expect, test } from 'vitest';
import { runningClock } from './running-clock';

test('CPU time is counted, however long the event loop is blocked', () => {
  const clock = runningClock();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 500_000);
  expect(clock.stop()).toBeGreaterThan(400);
});

test('time in which the process cannot run is not counted', () => {
  const clock = runningClock();
  // Simulates a suspended machine: no timer fires and nothing is computed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect(clock.stop()).toBeLessThan(600);
});
