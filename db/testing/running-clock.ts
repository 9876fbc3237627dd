const tickMs = 50;
/** More than that from one look to the next, without work of its own, and the process was kept from running. */
const mostMs = 4 * tickMs;

/**
 * Counts the milliseconds in which this process could run, or did: a bound on what runs in it then holds also where the
 * whole machine stands still for seconds. `stop` ends it and answers them.
 */
export function runningClock(): { elapsed(): number; stop(): number } {
  let elapsedMs = 0;
  let last = performance.now();
  let work = process.cpuUsage();
  const elapsed = () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(work);
    elapsedMs += Math.min(now - last, mostMs + (user + system) / 1_000);
    last = now;
    work = process.cpuUsage();
    return elapsedMs;
  };
  const timer = setInterval(elapsed, tickMs).unref();
  const stop = () => {
    clearInterval(timer);
    return elapsed();
  };
  return { elapsed, stop };
}
