import { and, asc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { SubqueryWithSelection } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import { jsonArray } from '@/db/query/expressions';
import { type Given, ofEach, only, prepare, type Queries } from '@/db/query/queries';
import { orderLines, orderStatus, orders, qrCodes } from '@/db/schema';
import { numberGuests } from '../bills';
import type { PosContext } from '../kernel/context';
import { type EventSettings, sendEvents, wantsEvent } from '../kernel/events';
import { fromCursor, toCursor } from '../kernel/page';
import { requestedStore } from '../merchants';
import { type ListOrdersInput, type Order, type OrderStatus, order } from './schemas';

/** Max orders on a bill. */
export const maxOrdersPerCode = 200;

const numberKey = /^[1-9][0-9]{0,8}$/;

/** Orders selected by a query. */
type Found = SubqueryWithSelection<(typeof orders)['_']['columns'], 'found'>;

/** Selects the found orders that match `where` with their lines, by number unless `orderBy` is given. */
export function withLines(
  db: Queries,
  found: Found,
  { where, orderBy = [asc(found.number)] }: { where?: SQL; orderBy?: SQL[] } = {},
) {
  // Looked up one by one: for a parameterized limit, the planner expects a tenth of the table.
  const code = db
    .select({ billId: qrCodes.billId, table: qrCodes.table })
    .from(qrCodes)
    .where(and(eq(qrCodes.merchantId, found.merchantId), eq(qrCodes.id, found.qrCodeId)))
    .limit(1)
    .as('code');
  const { plu, name, quantity, unitPrice, amount, options, note, onBillBefore } = orderLines;
  const line = { plu, name, quantity, unitPrice, amount, options, note, onBillBefore };
  const ofOrder = db
    .select({ lines: jsonArray(line, asc(orderLines.position)).as('lines') })
    .from(orderLines)
    .where(and(eq(orderLines.merchantId, found.merchantId), eq(orderLines.orderId, found.id)))
    .as('of_order');
  return db
    .select({
      orderId: found.id,
      number: found.number,
      storeId: found.storeId,
      qrCodeId: found.qrCodeId,
      clientOrderId: found.clientOrderId,
      billId: code.billId,
      table: code.table,
      status: found.status,
      total: found.total,
      note: found.note,
      guestId: found.guestId,
      guestName: found.guestName,
      lines: ofOrder.lines,
      placedAt: found.placedAt,
      updatedAt: found.updatedAt,
    })
    .from(found)
    .crossJoinLateral(code)
    .crossJoinLateral(ofOrder)
    .where(where)
    .orderBy(...orderBy);
}

export type OrderRow = Awaited<ReturnType<typeof withLines>>[number];

/** Returns an order in its public shape. Lines also have `onBillBefore`, and options their ids: no output schema passes them on. */
export const toOrder = ({
  clientOrderId,
  storeId,
  guestId,
  guestName,
  lines,
  placedAt,
  updatedAt,
  ...order
}: OrderRow) => ({
  ...order,
  guestName: guestName || null,
  lines: lines ?? [],
  placedAt: placedAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** An order with its store. The REST API does not name the store, because a till works for one. */
export interface StoreOrder extends Order {
  storeId: string;
}

export const toStoreOrder = (row: OrderRow): StoreOrder => ({ ...toOrder(row), storeId: row.storeId });

/**
 * Matches announced orders. The first order by a table's card has a negative number until staff accept it, and is not
 * announced before.
 */
export const isAnnounced: SQL = gt(orders.number, sql`0`);

/** The condition on an order's status, inlined to match that status's partial index. */
export const isIn = (status: OrderStatus): SQL => eq(orders.status, status).inlineParams();

export const isWaiting: SQL | undefined = and(lt(orders.number, sql`0`), isIn('placed'));

interface PosPage {
  merchantId: string;
  storeId: string;
  after: number;
  limit: number;
}

const listIn = ofEach([...orderStatus.enumValues, 'any'], (status: OrderStatus | 'any') =>
  prepare((db, given: Given<PosPage>) => {
    const found = db
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, given.merchantId),
          eq(orders.storeId, given.storeId),
          status === 'any' ? undefined : isIn(status),
          gt(orders.number, given.after),
        ),
      )
      .orderBy(orders.number)
      .limit(given.limit)
      .as('found');
    return withLines(db, found);
  }),
);

/**
 * Lists diners' orders of a store, oldest first, for a POS. Continuing from a cursor misses no order, however late it
 * is committed. Errors: `invalid_request` for a cursor of another list.
 */
export async function listOrders(ctx: PosContext, input: ListOrdersInput) {
  const store = await requestedStore(ctx, input.storeCode);
  const { limit } = input;
  const after = fromCursor(input.after, numberKey);
  return withMerchant(ctx.db, ctx.merchant.id, async ({ merchantId, db }) => {
    const wanted = { merchantId, storeId: store.id, after: Number(after ?? 0), limit: limit + 1 };
    const rows = await listIn[input.status ?? 'any'](db, wanted);
    const page = rows.slice(0, limit);
    const nextCursor = rows.length > limit ? toCursor(String(page[limit - 1]?.number)) : null;
    return { items: page.map(toOrder), nextCursor };
  });
}

/** Selects a code's orders: the announced ones by number, or all in the order in which phones sent them. */
const listOfCode = ofEach(['announced', 'all'], (which: 'announced' | 'all') =>
  prepare((db, given: Given<{ merchantId: string; qrCodeId: string }>) => {
    const isAll = which === 'all';
    const found = db
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, given.merchantId),
          eq(orders.qrCodeId, given.qrCodeId),
          isAll ? undefined : isAnnounced,
        ),
      )
      .as('found');
    return withLines(db, found, { orderBy: [asc(isAll ? found.id : found.number)] });
  }),
);

/** Returns a code's orders, oldest first, without those that wait for staff or were declined. */
export const ordersOf = async ({ merchantId, db }: Tx, qrCodeId: string): Promise<Order[]> =>
  (await listOfCode.announced(db, { merchantId, qrCodeId })).map(toOrder);

/** An order as the phones at its table see it. A phone recognises its pending order by the id that it sent. */
export type TableOrder = ReturnType<typeof toOrder> & {
  clientOrderId: string;
  /** Numbers the phones in the order in which they first ordered; null if the phone is unknown. */
  guestNumber: number | null;
  /** True if the asking phone sent it. */
  isMine: boolean;
};

/**
 * Returns a code's orders for the phone with this `guestId`. With another phone's `clientOrderId`, a phone gets only
 * what it sees anyway. No phone gets another's `guestId`.
 */
export async function tableOrdersOf(
  { merchantId, db }: Tx,
  qrCodeId: string,
  guestId: string | null,
): Promise<TableOrder[]> {
  const rows = await listOfCode.all(db, { merchantId, qrCodeId });
  const numberOf = numberGuests(rows);
  return rows.map((row) => ({
    ...toOrder(row),
    clientOrderId: row.clientOrderId,
    guestNumber: numberOf(row.guestId),
    isMine: guestId !== null && row.guestId === guestId,
  }));
}

interface OrderChange {
  type: 'order.placed' | 'order.updated';
  orderId: string;
  now: Date;
}

/** Sends an event with the order's current state. Call it after the change. */
export async function sendOrderEvent(
  tx: Tx,
  settings: EventSettings,
  { type, orderId, now }: OrderChange,
): Promise<void> {
  if (!wantsEvent(settings, type)) return;
  const row = only(await findOrderRow(tx.db, { merchantId: tx.merchantId, orderId }));
  sendEvents(tx, [{ type, storeId: row.storeId, occurredAt: now, data: order.parse(toOrder(row)) }]);
}

const findOrderRow = prepare((db, given: Given<{ merchantId: string; orderId: string }>) => {
  const found = db
    .select()
    .from(orders)
    .where(and(eq(orders.merchantId, given.merchantId), eq(orders.id, given.orderId)))
    .as('found');
  return withLines(db, found);
});

/** Returns an order that exists. */
export async function findOrder({ merchantId, db }: Tx, orderId: string): Promise<Order> {
  const [row] = await findOrderRow(db, { merchantId, orderId });
  if (!row) throw new Error('an order that was just written is not there');
  return toOrder(row);
}
