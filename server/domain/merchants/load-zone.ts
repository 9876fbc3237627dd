import { tzOffset } from '@date-fns/tz';
import { zoneOffsets } from '@/db/query/functions';
import type { Queries } from '@/db/query/queries';
import { type ClockChange, isZoneKept, keepZone } from '../kernel/zones';

/**
 * Zones being read, by where they are read. Requests that begin at the same moment share one query of a pool, which takes
 * milliseconds. A database transaction reads for itself: it would wait for others while it holds a connection.
 */
const reading = new WeakMap<Queries, Map<string, Promise<void>>>();

/** Loads a merchant's time zone once in a process. Returns undefined if it is loaded already. */
export function loadZone(db: Queries, timeZone: string): Promise<void> | undefined {
  if (isZoneKept(timeZone)) return undefined;
  const own = reading.get(db) ?? new Map<string, Promise<void>>();
  reading.set(db, own);
  const begun = own.get(timeZone) ?? readZone(db, timeZone).finally(() => own.delete(timeZone));
  own.set(timeZone, begun);
  return begun;
}

async function readZone(db: Queries, timeZone: string): Promise<void> {
  const { $rows, ...columns } = zoneOffsets({ zone: timeZone });
  const rows = await db.select(columns).from($rows);
  const [first, ...others] = rows.map(({ startsAt, aheadSeconds }) => ({
    from: startsAt.getTime(),
    aheadMs: aheadSeconds * 1_000,
  }));
  keepZone(timeZone, first ? [first, ...others] : changesInNode(timeZone));
}

const weekMs = 7 * 86_400_000;
const quarterMs = 15 * 60_000;

/** Some systems drop old names (`US/Pacific`). A zone that this PostgreSQL no longer knows is read from Node. */
function changesInNode(timeZone: string): [ClockChange, ...ClockChange[]] {
  const aheadAt = (at: number) => tzOffset(timeZone, new Date(at)) * 60_000;
  const first = Date.UTC(1990);
  const changes: [ClockChange, ...ClockChange[]] = [{ from: first, aheadMs: aheadAt(first) }];
  for (let week = first; week < Date.UTC(2101); week += weekMs) {
    const [before, after] = [aheadAt(week), aheadAt(week + weekMs)];
    if (before === after) continue;
    let [low, high] = [week, week + weekMs];
    while (high - low > quarterMs) {
      const middle = low + Math.floor((high - low) / quarterMs / 2) * quarterMs;
      if (aheadAt(middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ from: high, aheadMs: after });
  }
  return changes;
}
