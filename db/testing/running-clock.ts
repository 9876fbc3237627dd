const tickMs = 50;
/** If two readings are further apart, beyond the CPU time used, the process could not run in between. */
const maxTickMs = 4 * tickMs;

/**
 * Counts the milliseconds in which this process ran or could have run, so that a time limit also holds if the whole
 * machine stalls. `stop` ends the clock and returns the count.
 */
export function runningClock(): { elapsed(): number; stop(): number } {
  let elapsedMs = 0;
  let last = performance.now();
  let work = process.cpuUsage();
  const elapsed = () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(work);
    elapsedMs += Math.min(now - last, maxTickMs + (user + system) / 1_000);
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
