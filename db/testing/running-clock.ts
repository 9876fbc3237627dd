const tickMs = 50;
/** More than that from one tick to the next, and the machine stood still. */
const mostMs = 4 * tickMs;

/**
 * Counts the milliseconds that this process has run: a bound on what runs in it then holds also where the whole machine
 * stands still for seconds. `stop` ends it and answers them.
 */
export function runningClock(): { elapsed(): number; stop(): number } {
  let elapsedMs = 0;
  let last = performance.now();
  const elapsed = () => {
    const now = performance.now();
    elapsedMs += Math.min(now - last, mostMs);
    last = now;
    return elapsedMs;
  };
  const timer = setInterval(elapsed, tickMs).unref();
  const stop = () => {
    clearInterval(timer);
    return elapsed();
  };
  return { elapsed, stop };
}
