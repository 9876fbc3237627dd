import { and, asc, desc, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { alwaysRecorded, eventTypes, isCustomerEvent, testEventType } from '@/db/kinds/lists';
import { anyOf } from '@/db/query/expressions';
import { events, stores } from '@/db/schema';
import type { PosContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { ifGiven } from '../kernel/page';
import { say } from '../kernel/say';
import { requestedStore } from '../merchants';
import type { Event, EventList, ListEventsInput } from './schemas';

/** A place in the order of events. */
export type Position = Pick<typeof events.$inferSelect, 'xid' | 'seq'>;

const position = { xid: events.xid, seq: events.seq };
/** Before all events. Events of a merchant that has moved here have negative numbers. */
const beginning: Position = { xid: Number.MIN_SAFE_INTEGER, seq: 0 };

/** True for events before which none can appear any more: all database transactions up to theirs have ended. */
export const isFinal = sql`${events.xid} < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint`;
export const isBehind = ({ xid, seq }: Position): SQL => sql`(${events.xid}, ${events.seq}) > (${xid}, ${seq})`;
const isUpTo = ({ xid, seq }: Position): SQL => sql`(${events.xid}, ${events.seq}) <= (${xid}, ${seq})`;

const { id, type, occurredAt, data } = events;
/** The columns that `toEvent` needs, of events joined with their store. */
export const eventColumns = { id, type, occurredAt, data, storeCode: stores.storeCode };
export const isItsStore = and(eq(stores.merchantId, events.merchantId), eq(stores.id, events.storeId));

interface EventRow extends Pick<typeof events.$inferSelect, 'id' | 'type' | 'occurredAt' | 'data'> {
  storeCode: string | null;
}

/** An event as it is read and sent. The data comes last, which is easier for people to read. */
export const toEvent = ({ occurredAt: at, storeCode, data: resource, ...event }: EventRow) => ({
  ...event,
  occurredAt: at.toISOString(),
  storeCode,
  data: resource,
});

/** With a filter, this many events are searched for one response. */
const maxSearched = 2_000;

/**
 * Lists events in the order in which to apply them, for as long as they are kept. A reader that continues from
 * `nextAfter` misses none and sees none twice, however late a change is committed. A store's key gets its store's
 * events only. Errors: `events_not_recorded`, `event_not_found` for an `after` that is unknown or no longer kept,
 * `invalid_request` for types that no store has, `store_forbidden`, `store_not_found`.
 */
export async function listEvents(ctx: PosContext, input: ListEventsInput): Promise<EventList> {
  const isOfStore = ctx.boundStore !== null || input.storeCode !== undefined;
  const store = isOfStore ? await requestedStore(ctx, input.storeCode) : null;
  checkTypes(ctx, input, isOfStore);
  const { after, types, limit } = input;
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const from = after === undefined ? beginning : await find(tx, after);
    const isFiltered = store !== null || types !== undefined;
    const { last, isMore } = await lookAhead(tx, from, isFiltered ? maxSearched : limit);
    if (!last) return { items: [], nextAfter: after ?? null, hasMore: false };
    const rows = await tx.db
      .select(eventColumns)
      .from(events)
      .leftJoin(stores, isItsStore)
      .where(
        and(
          eq(events.merchantId, tx.merchantId),
          isBehind(from),
          isUpTo(last),
          ne(type, testEventType),
          ifGiven(types, (wanted) => anyOf(type, wanted)),
          ifGiven(store?.id, (storeId) => or(eq(events.storeId, storeId), eq(type, alwaysRecorded))),
        ),
      )
      .orderBy(asc(events.xid), asc(events.seq))
      .limit(limit);
    const isFull = rows.length === limit;
    const nextAfter = isFull ? (rows.at(-1)?.id ?? last.id) : last.id;
    const hasMore = nextAfter !== last.id || isMore;
    return { items: rows.map((row) => toEvent(row) as Event), nextAfter, hasMore };
  });
}

/** Refuses types that are never sent, because their reader would wait for ever. */
function checkTypes({ merchant }: PosContext, { types }: ListEventsInput, isOfStore: boolean): void {
  if (isOfStore && types?.some(isCustomerEvent)) throw invalid('types', say('eventsOfNoStore'));
  if (merchant.eventTypes === null) return;
  const recorded = new Set([...merchant.eventTypes, alwaysRecorded]);
  const wanted = types ?? eventTypes.filter((one) => !(isOfStore && isCustomerEvent(one)));
  const missing = wanted.filter((one) => !recorded.has(one));
  if (missing.length > 0) throw new DomainError('events_not_recorded', say('eventsNotRecorded'), { types: missing });
}

async function find({ merchantId, db }: Tx, eventId: string): Promise<Position> {
  const [found] = await db
    .select(position)
    .from(events)
    .where(and(eq(events.merchantId, merchantId), eq(id, eventId)));
  if (!found) throw new DomainError('event_not_found', say('eventNotFound'));
  return found;
}

/**
 * Returns the last of the next `most` events, and whether there are that many. No event can appear before it from now
 * on, so reading up to there is complete.
 */
async function lookAhead({ merchantId, db }: Tx, from: Position, most: number) {
  const next = db
    .select({ id, ...position })
    .from(events)
    .where(and(eq(events.merchantId, merchantId), isBehind(from), isFinal))
    .orderBy(asc(events.xid), asc(events.seq))
    .limit(most)
    .as('next');
  const [last] = await db
    .select({ id: next.id, xid: next.xid, seq: next.seq, found: sql<number>`count(*) over ()` })
    .from(next)
    .orderBy(desc(next.xid), desc(next.seq))
    .limit(1);
  return { last: last ?? null, isMore: last?.found === most };
}
