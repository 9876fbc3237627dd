/**
 * Runs `work` for each item in turn, and continues after a fault. Starts no further item once it is told to stop.
 * Errors: the first fault, at the end.
 */
export async function forEachInTurn<T>(
  due: Iterable<T>,
  work: (one: T) => Promise<unknown>,
  stopping?: AbortSignal,
): Promise<void> {
  const faults: unknown[] = [];
  for (const one of due) {
    if (stopping?.aborted) break;
    try {
      await work(one);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
