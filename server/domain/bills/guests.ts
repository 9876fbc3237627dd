import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { type Given, prepare } from '@/db/query/queries';
import { orders } from '@/db/schema';

/** The phones that ordered with a code, first order first. An order's number would not do: it gets another once accepted. */
export const listOrderingGuests = prepare((db, given: Given<{ merchantId: string; qrCodeId: string }>) =>
  db
    .select({ guestId: orders.guestId })
    .from(orders)
    .where(and(eq(orders.merchantId, given.merchantId), eq(orders.qrCodeId, given.qrCodeId), isNotNull(orders.guestId)))
    .orderBy(asc(orders.id)),
);

interface ByGuest {
  guestId: string | null;
}

/**
 * Numbers the phones at a table from 1, so that a guest without a name is the same to everyone who looks: in the order in
 * which they first ordered, then those that only pay as they first began to. `ordered` are orders by their ids, `payments`
 * all of the bill, oldest first, whatever became of them. Returns null for an unknown phone.
 */
export function numberGuests(
  ordered: readonly ByGuest[],
  payments: readonly ByGuest[] = [],
): (guestId: string | null) => number | null {
  const guests = new Set([...ordered, ...payments].flatMap(({ guestId }) => guestId ?? []));
  const numbers = new Map([...guests].map((guestId, at) => [guestId, at + 1]));
  return (guestId) => (guestId === null ? null : (numbers.get(guestId) ?? null));
}
