/** Does what is due for each, one after another, so that a fault of one keeps nobody waiting. Errors: the first, at the end. */
export async function eachInTurn<T>(due: Iterable<T>, work: (one: T) => Promise<unknown>): Promise<void> {
  const faults: unknown[] = [];
  for (const one of due) {
    try {
      await work(one);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
