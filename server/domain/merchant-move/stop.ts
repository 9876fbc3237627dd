/** The stop: the merchant's writes end, and the target receives all of them. */
import { bytesBehind, positionNow, runningTransactions } from '@/db/operations/replication';
import { StartupError } from '@/db/startup-error';
import { allowWrites, type Move, replicationName, stopWrites } from './sides';

/** How long writes may be stopped before they are allowed again for a new try. Leaving takes a little longer. */
const maxStopMs = 2_500;
/** How long the target may take to catch up while the merchant works. */
const maxCatchUpMs = 60_000;
const pollMs = 20;
/** Between tries, so that the source or the target can finish what kept it busy. */
const restMs = 5_000;
const maxTries = 12;

/** The stop took too long and will be tried again. */
class TookTooLong extends Error {}

/**
 * Stops the merchant's writes, waits until the target has all of them, and runs `work`. Afterwards writes are allowed
 * again, even after an error, unless the merchant has left. A stop that takes too long is given up and tried again, so
 * `work` must call `ensureTime` before it does what can't be undone. Returns the result of `work`, and how long writes
 * were stopped, in milliseconds.
 */
export async function whileStopped<T>(
  move: Move,
  work: (ensureTime: () => void) => Promise<T>,
): Promise<{ result: T; ms: number }> {
  for (let tries = 1; ; tries++) {
    try {
      // Waits until no database transaction runs for long and the target follows closely. The stop would last as long.
      await waitForOlder(move, restMs);
      await catchUp(move, performance.now() + maxCatchUpMs);
      const begunAt = performance.now();
      await stopWrites(move);
      const until = begunAt + maxStopMs;
      await waitForOlder(move, maxStopMs);
      await catchUp(move, until);
      const result = await work(() => {
        if (performance.now() > until) throw new TookTooLong('The comparison took too long');
      });
      await allowWrites(move);
      return { result, ms: Math.round(performance.now() - begunAt) };
    } catch (error) {
      await allowWrites(move);
      if (!(error instanceof TookTooLong) || tries === maxTries) throw error;
      move.report(`${error.message}. Writes go on; the stop is tried again in ${restMs / 1000} s`);
      await pause(restMs);
    }
  }
}

/** Waits until the database transactions that run now have ended, because they may not know of the stop. */
async function waitForOlder({ source }: Move, ms: number): Promise<void> {
  const older = new Set((await runningTransactions(source.db)).map(({ id }) => id));
  const until = performance.now() + ms;
  for (;;) {
    const left = (await runningTransactions(source.db)).filter(({ id }) => older.has(id));
    if (left.length === 0) return;
    if (performance.now() > until)
      throw new TookTooLong(`A database transaction of ${left.map(({ who }) => who).join(', ')} does not end`);
    await pause(pollMs);
  }
}

async function catchUp(move: Move, until: number): Promise<void> {
  const name = replicationName(move);
  const position = await positionNow(move.source.db);
  for (;;) {
    const behind = await bytesBehind(move.source.db, name, position);
    if (behind === 0) return;
    if (behind === null)
      throw new StartupError(
        'The replication slot is gone, or lost its place in the log: undo the move, and begin again.',
      );
    if (performance.now() > until) throw new TookTooLong(`The target is ${behind} bytes behind`);
    await pause(pollMs);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
