import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { type Given, prepare } from '@/db/query/queries';
import { orders } from '@/db/schema';

/**
 * The phones that ordered with a code, by their first order. They are not sorted by order number, which changes when an
 * order is accepted.
 */
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
 * Numbers the phones at a table from 1, so that everyone sees the same number for a guest without a name. Phones that
 * ordered come first, by their first order. Phones that only paid follow, by their first payment. `ordered` maps orders
 * by id; `payments` are all payments of the bill in any state, oldest first. Returns null for an unknown phone.
 */
export function numberGuests(
  ordered: readonly ByGuest[],
  payments: readonly ByGuest[] = [],
): (guestId: string | null) => number | null {
  const guests = new Set([...ordered, ...payments].flatMap(({ guestId }) => guestId ?? []));
  const numbers = new Map([...guests].map((guestId, at) => [guestId, at + 1]));
  return (guestId) => (guestId === null ? null : (numbers.get(guestId) ?? null));
}
