import { and, count, eq, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { insertFrom, insertRows, nameOf } from '@/db/query/expressions';
import { type Given, only, prepare } from '@/db/query/queries';
import { merchants, orderLines, orders, qrCodes, stores } from '@/db/schema';
import { billEndedAt, countUnitsOf } from '../bills';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import type { EventSettings } from '../kernel/events';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { withMerchantClock } from '../merchants';
import { type CodeName, codeNotFound, type FoundCode, requireCode, type Visit } from './find-code';
import { readMenu } from './menu-on-offer';
import { findOrder, isAnnounced, isWaiting, maxOrdersPerCode, sendOrderEvent } from './orders';
import { priceLines, totalOf } from './price-lines';
import { type NewOrder, newOrder, type Order } from './schemas';

/** Places an order from a phone at the table. Errors: those of `placeOrder`, and `too_many_attempts`. */
export async function placeTableOrder(services: Services, visit: Visit, given: NewOrder): Promise<Order> {
  const code = await requireCode(services, visit);
  return placeOrder(withMerchantClock(services, code), code, given);
}

/** Locks a code against being closed. */
export const lockCode = prepare((db, given: Given<CodeName>) =>
  db
    .select({
      storeId: qrCodes.storeId,
      status: qrCodes.status,
      openedBy: qrCodes.openedBy,
      confirmedAt: qrCodes.confirmedAt,
      expiresAt: qrCodes.expiresAt,
      billEndedAt: billEndedAt(db, qrCodes),
      merchantClosedAt: merchants.closedAt,
      eventTypes: merchants.eventTypes,
    })
    .from(qrCodes)
    .innerJoin(merchants, eq(merchants.id, qrCodes.merchantId))
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, given.qrCodeId)))
    .for('update', { of: qrCodes }),
);

const findEarlier = prepare((db, given: Given<CodeName & { clientOrderId: string }>) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.merchantId, given.merchantId),
        eq(orders.qrCodeId, given.qrCodeId),
        eq(orders.clientOrderId, given.clientOrderId),
      ),
    ),
);

const countPlaced = prepare((db, given: Given<CodeName>) =>
  db
    .select({ placed: count(), waiting: sql<number>`count(*) filter (where ${isWaiting})::integer` })
    .from(orders)
    .where(
      and(
        eq(orders.merchantId, given.merchantId),
        eq(orders.qrCodeId, given.qrCodeId),
        // Orders that staff declined are not on the bill.
        or(isAnnounced, isWaiting),
      ),
    ),
);

/**
 * Places a diner's order on a code's bill. Prices come from the menu, never from the request. The code's row is locked,
 * so that an order is either on the bill before it closes, or refused. Repeating a `clientOrderId` returns the order as
 * it was placed, whatever has changed since. Errors: `qr_code_closed`, also for a closed merchant, `qr_code_not_found`
 * for an expired code, and those of `priceLines`.
 */
export async function placeOrder(
  { db, clock }: Services,
  { merchantId, qrCodeId, byCard = false }: CodeName & Partial<Pick<FoundCode, 'byCard'>>,
  given: NewOrder,
): Promise<Order> {
  const order = newOrder.parse(given);
  return withMerchant(db, merchantId, async (tx) => {
    // Sent first, so that everything else is read while holding the lock.
    const locking = lockCode(tx.db, { merchantId, qrCodeId }).execute();
    const plus = [...new Set(order.lines.map(({ plu }) => plu))];
    const [[code], [earlier], counted, menu, onBill] = await Promise.all([
      locking,
      findEarlier(tx.db, { merchantId, qrCodeId, clientOrderId: order.clientOrderId }),
      countPlaced(tx.db, { merchantId, qrCodeId }),
      readMenu(tx, { at: { qrCodeId }, language: null, plus, now: clock.now() }),
      countUnitsOf(tx, qrCodeId),
    ]);
    if (earlier) return findOrder(tx, earlier.id);
    // Read after the lock, so that an order's time is never later than the code's closing.
    const now = clock.now();
    const open = ensureOpen(code, now);
    const { storeId, eventTypes } = open;
    const { placed, waiting } = only(counted);
    if (placed >= maxOrdersPerCode) throw new DomainError('qr_code_closed', say('billFull'));
    const isHeld = waitsForStaff(open, byCard);
    if (isHeld && (waiting >= maxWaiting || order.lines.length > maxWaitingLines)) {
      throw new DomainError(
        'qr_code_closed',
        say('firstOrderTooLarge', { orders: maxWaiting, lines: maxWaitingLines }),
      );
    }
    const lines = priceLines(
      order.lines,
      menu.flatMap(({ items }) => items),
    ).map((line) => ({ ...line, onBillBefore: onBill.get(line.plu) ?? 0 }));
    return writeOrder(tx, { eventTypes }, { ...order, qrCodeId, storeId, lines, isHeld, now });
  });
}

/** Max waiting orders of a code, so that strangers can't keep staff busy. */
const maxWaiting = 3;
const maxWaitingLines = 30;

/**
 * True if a phone's order waits for staff: no order by the table's card has been accepted on the bill so far, or none since
 * the bill ended. On a bill that its guests opened, all orders are by card.
 */
export const waitsForStaff = (
  { openedBy, confirmedAt, billEndedAt }: Pick<LockedCode, 'openedBy' | 'confirmedAt' | 'billEndedAt'>,
  byCard: boolean,
): boolean =>
  confirmedAt === null ? byCard || openedBy === 'diner' || billEndedAt !== null : isBefore(confirmedAt, billEndedAt);

const isBefore = (confirmedAt: Date, billEndedAt: Date | null) => billEndedAt !== null && confirmedAt < billEndedAt;

type LockedCode = Awaited<ReturnType<typeof lockCode>>[number];

/** Returns a locked code that takes orders. Errors: `qr_code_closed`, `qr_code_not_found`. */
export function ensureOpen(code: LockedCode | undefined, now: Date): LockedCode {
  if (code?.merchantClosedAt) throw new DomainError('qr_code_closed', say('merchantClosed'));
  if (code?.status === 'invalidated') throw new DomainError('qr_code_closed', say('billSettled'));
  if (code?.status !== 'active' || code.expiresAt <= now) throw codeNotFound();
  return code;
}

interface PricedOrder extends Pick<Order, 'qrCodeId' | 'note'> {
  lines: (Order['lines'][number] & { onBillBefore: number })[];
  clientOrderId: string;
  guestId: string | null;
  guestName: string;
  storeId: string;
  /** True if the order waits for staff. */
  isHeld: boolean;
  now: Date;
}

interface NewRow extends Omit<PricedOrder, 'lines'> {
  merchantId: string;
  orderId: string;
  total: number;
}

/** Locks the store's row until the commit, so that no later number can be read before this one. */
const insertOrder = prepare((db, given: Given<NewRow>) => {
  const { merchantId, orderId: id, storeId, qrCodeId, clientOrderId, total, note, now } = given;
  const { guestId, guestName } = given;
  const counted = db
    .update(stores)
    .set({ lastOrderNumber: sql`${stores.lastOrderNumber} + 1` })
    .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId)))
    .returning({ number: stores.lastOrderNumber });
  const number = sql<number>`case when ${given.isHeld}::boolean then -1 else 1 end * counted.${nameOf(stores.lastOrderNumber)}`;
  const ids = { merchantId, id, storeId, qrCodeId, clientOrderId };
  const row = { ...ids, number, total, note, guestId, guestName, placedAt: now, updatedAt: now };
  return sql`with counted as ${counted} ${insertFrom(orders, row, sql`counted`)}`;
});

const insertLines = insertRows(orderLines, [
  'orderId',
  'position',
  'plu',
  'name',
  'quantity',
  'unitPrice',
  'amount',
  'options',
  'note',
  'onBillBefore',
]);

async function writeOrder(tx: Tx, settings: EventSettings, { lines, ...order }: PricedOrder): Promise<Order> {
  const { merchantId, db } = tx;
  const { qrCodeId } = order;
  const orderId = newId();
  const writing = Promise.all([
    insertOrder(db, { ...order, merchantId, orderId, total: totalOf(lines) }),
    insertLines(
      tx,
      lines.map((line, position) => ({ ...line, orderId, position })),
    ),
    announceChange(tx, 'orders', qrCodeId),
    announceChange(tx, 'qrCodes', qrCodeId),
  ]);
  const [, placed] = await Promise.all([writing, findOrder(tx, orderId)]);
  if (!order.isHeld) await sendOrderEvent(tx, settings, { type: 'order.placed', orderId, now: order.now });
  return placed;
}
