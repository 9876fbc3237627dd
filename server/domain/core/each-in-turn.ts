/**
 * Does what is due for each, one after another, so that a fault of one keeps nobody waiting. Where it is to stop, it begins
 * no other. Errors: the first, at the end.
 */
export async function eachInTurn<T>(
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
