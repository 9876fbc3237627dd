/**
 * Local time on the server: only PostgreSQL's time zone data count. All instances share them and reports compute days in SQL,
 * while Node's differ from version to version. Since 2026-11-01, America/Vancouver is -07:00 for PostgreSQL 18.4, and
 * -08:00 for Node 20.20.2.
 */

/** From `from` (milliseconds) on, clocks are `aheadMs` ahead of UTC. In order; the first holds before it, too. */
export type ClockChange = { from: number; aheadMs: number };

const zones = new Map<string, readonly [ClockChange, ...ClockChange[]]>([['UTC', [{ from: 0, aheadMs: 0 }]]]);

/** Keeps the clock changes of a zone for this process. A merchant is read with its zone (`merchants/load-zone.ts`). */
export const keepZone = (timeZone: string, changes: readonly [ClockChange, ...ClockChange[]]) =>
  zones.set(timeZone, changes);

export const isZoneKept = (timeZone: string): boolean => zones.has(timeZone);

function changesOf(timeZone: string) {
  const changes = zones.get(timeZone);
  if (!changes) throw new Error(`the time zone ${timeZone} was not loaded`);
  return changes;
}

/** Returns the local time at `instant`, as a date whose UTC fields show it. */
export function toLocal(timeZone: string, instant: Date): Date {
  const changes = changesOf(timeZone);
  const at = instant.getTime();
  let [low, high] = [0, changes.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as ClockChange).from <= at) low = middle;
    else high = middle;
  }
  return new Date(at + (changes[low] as ClockChange).aheadMs);
}

/** Returns the first instant at which local clocks show that time, or a later one if they skip it. */
export function fromLocal(timeZone: string, local: Date): Date {
  const changes = changesOf(timeZone);
  const wanted = local.getTime();
  // No clock is a day ahead or behind.
  let n = Math.max(0, changes.findIndex(({ from }) => from > wanted - 2 * 86_400_000) - 1);
  if (n === 0 && (changes.at(-1) as ClockChange).from <= wanted - 2 * 86_400_000) n = changes.length - 1;
  for (; ; n++) {
    const { from, aheadMs } = changes[n] as ClockChange;
    const until = changes[n + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (wanted - aheadMs < until) return new Date(n === 0 ? wanted - aheadMs : Math.max(from, wanted - aheadMs));
  }
}
