/** Events are written here. `domain/events` reads them. */
import type { Tx } from '@/db/client';
import { insertRows } from '@/db/expressions';
import type { EventType, EventTypeOf } from '@/db/lists';
import { events } from '@/db/schema';
import type { Merchant } from './context';
import { newId } from './ids';

/** What happened, to be written in the database transaction of the change. */
export type NewEvent = {
  /** By the merchant's clock. */
  occurredAt: Date;
  /** The resource as the REST API shows it. */
  data: object;
} & (
  | { type: EventTypeOf<'store'>; storeId: string | null; customerId?: never }
  | { type: EventTypeOf<'customer' | 'business'>; storeId: null; customerId?: never }
  /** The data is erased with this customer. */
  | { type: EventTypeOf<'profile'>; storeId: null; customerId: string }
);

/** Whose events they are, and which types are wanted; null: all. Read with every request, so that it costs no query. */
export type EventSettings = Pick<Merchant, 'eventTypes'>;

/** Whether anybody wants to know. If not, nothing is read for the event, and nothing is written. */
export const wantsEvent = ({ eventTypes }: EventSettings, type: EventType): boolean =>
  eventTypes === null || eventTypes.includes(type);

/** Sends wanted events with the change; they are committed with it. Nothing is sent where there are none. */
export function sendEvents(tx: Tx, wanted: NewEvent[]): void {
  if (wanted.length === 0) return;
  const rows = wanted.map(({ customerId = null, ...event }) => ({ ...event, customerId, id: newId() }));
  tx.send(insert(tx, rows));
}

const insert = insertRows(events, ['id', 'type', 'storeId', 'customerId', 'occurredAt', 'data']);
