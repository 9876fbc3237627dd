const tickMs = 50;
/** A longer time between two readings, beyond the CPU time used, means that the process could not run. */
const maxTickMs = 4 * tickMs;

/**
 * Counts the milliseconds in which this process could run, or did. A bound on its work then also holds where the whole
 * machine stalls for seconds. `stop` ends the clock and returns them.
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
