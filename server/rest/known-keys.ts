const mostKnown = 10_000;
const knownMs = 7 * 24 * 60 * 60_000;

/**
 * The names of keys that worked in the last week, the latest of them. They open nothing: they only say which request is
 * no guess. Only a key that works makes another be forgotten.
 */
export function createKnownKeys() {
  const workedAt = new Map<string, number>();
  const forget = (name: string) => workedAt.delete(name);
  return {
    has: (name: string) => performance.now() - (workedAt.get(name) ?? Number.NEGATIVE_INFINITY) < knownMs,
    forget,
    remember(name: string): void {
      if (!forget(name) && workedAt.size >= mostKnown) forget(workedAt.keys().next().value as string);
      workedAt.set(name, performance.now());
    },
  };
}
