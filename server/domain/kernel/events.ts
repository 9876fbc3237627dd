/** Events are written here. `domain/events` reads them. */
import type { Tx } from '@/db/driver';
import type { EventType, EventTypeOf } from '@/db/kinds/lists';
import { insertRows } from '@/db/query/expressions';
import { events } from '@/db/schema';
import type { Merchant } from './context';
import { newId } from './ids';

/** What happened. It is written in the database transaction of the change. */
export type NewEvent = {
  /** In the merchant's time. */
  occurredAt: Date;
  /** The resource as the REST API shows it. */
  data: object;
} & (
  | { type: EventTypeOf<'store'>; storeId: string | null; customerId?: never }
  | { type: EventTypeOf<'customer' | 'business'>; storeId: null; customerId?: never }
  /** The customer with whom its data is erased. */
  | { type: EventTypeOf<'profile'>; storeId: null; customerId: string }
);

/** Which types of events a merchant wants; null for all. Read with every request, so it costs no query. */
export type EventSettings = Pick<Merchant, 'eventTypes'>;

/** True if the merchant wants events of this type. Otherwise nothing is read or written for them. */
export const wantsEvent = ({ eventTypes }: EventSettings, type: EventType): boolean =>
  eventTypes === null || eventTypes.includes(type);

/** Sends the wanted events, which are committed with the change. Sends nothing if there are none. */
export function sendEvents(tx: Tx, wanted: NewEvent[]): void {
  if (wanted.length === 0) return;
  const rows = wanted.map(({ customerId = null, ...event }) => ({ ...event, customerId, id: newId() }));
  tx.send(insert(tx, rows));
}

const insert = insertRows(events, ['id', 'type', 'storeId', 'customerId', 'occurredAt', 'data']);
