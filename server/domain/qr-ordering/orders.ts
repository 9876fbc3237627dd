import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { auditPos } from '../core/audit';
import { announce } from '../core/changes';
import type { PosContext } from '../core/context';
import { fromCursor, toCursor } from '../core/cursor';
import { DomainError } from '../core/errors';
import { checkOccurredAt } from '../core/occurred-at';
import { requestedStore } from '../merchants/store';
import type { ListOrdersInput, Order, OrderMove, OrderStatus, SetOrderStatusInput } from './schemas';

/** Where an order can go from where it stands; to where it is already is no move, and no error. */
const next: Record<OrderStatus, OrderStatus[]> = {
  placed: ['accepted', 'ready', 'served', 'cancelled'],
  accepted: ['ready', 'served', 'cancelled'],
  ready: ['served', 'cancelled'],
  served: [],
  cancelled: [],
};

/** How many orders a bill can hold. */
export const mostOrdersOfCode = 200;

const numberKey = /^[1-9][0-9]{0,8}$/;

/**
 * Diners' orders of a store, oldest first, for a POS to take. Reading on from a cursor misses none, however late it
 * is committed. Errors: `invalid_request` for a foreign cursor.
 */
export async function listOrders(ctx: PosContext, input: ListOrdersInput) {
  const store = await requestedStore(ctx, input.storeCode);
  const { limit } = input;
  const after = fromCursor(input.after, numberKey);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const rows = await orderRows(
      tx,
      sql`
        select * from orders where merchant_id = ${merchantId} and store_id = ${store.id}
          ${input.status === undefined ? sql`` : sql`and ${isIn(tx, input.status)}`}
          ${after === null ? sql`` : sql`and number > ${after}`}
        order by number limit ${limit + 1}`,
    );
    const page = rows.slice(0, limit);
    const nextCursor = rows.length > limit ? toCursor(String(page[limit - 1]?.number)) : null;
    return { items: page.map(toOrder), nextCursor };
  });
}

/** The condition that an order is in that state, in the very words of the index of that state. */
export const isIn = ({ sql }: Tx, status: OrderStatus): Fragment => sql.unsafe(`status = '${status}'`);

/** The orders placed with a code, oldest first. */
export const ordersOf = async (tx: Tx, qrCodeId: string): Promise<Order[]> =>
  (await rowsOfCode(tx, qrCodeId)).map(toOrder);

/** An order as the phones at its table see it: by the id that it was sent under, a phone finds its own. */
export interface TableOrder extends Order {
  clientOrderId: string;
}

/** The same for the diners, who may do no more with a `clientOrderId` than be answered what they see. */
export const tableOrdersOf = async (tx: Tx, qrCodeId: string): Promise<TableOrder[]> =>
  (await rowsOfCode(tx, qrCodeId)).map((row) => ({ ...toOrder(row), clientOrderId: row.client_order_id }));

function rowsOfCode(tx: Tx, qrCodeId: string): PromiseLike<Row[]> {
  const { merchantId, sql } = tx;
  const ofCode = sql`
    select * from orders where merchant_id = ${merchantId} and qr_code_id = ${qrCodeId}
    order by number limit ${mostOrdersOfCode}`;
  return orderRows(tx, ofCode);
}

/**
 * Moves an order on. Errors: `order_not_found`, `order_status_refused` for a step back, or out of a final status.
 */
export async function setOrderStatus(ctx: PosContext, input: SetOrderStatusInput): Promise<Order> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await moveOrder(tx, tx.sql`store_id = ${store.id}`, input, ctx.clock.now());
    if (before !== null) {
      const change = { before: { status: before }, after: { status: input.status } };
      await auditPos(tx, ctx, 'order.status', { kind: 'order', id: input.orderId }, input, change);
    }
    return findOrder(tx, input.orderId);
  });
}

/**
 * Moves one of the orders for which `condition` holds; answers where it stood, null where it stands there already.
 * Errors: `order_not_found`, `order_status_refused`.
 */
export async function moveOrder(
  tx: Tx,
  condition: Fragment,
  { orderId, status }: OrderMove,
  now: Date,
): Promise<OrderStatus | null> {
  const { merchantId, sql } = tx;
  const [row] = await sql<{ status: OrderStatus; qr_code_id: string }[]>`
    select status, qr_code_id from orders where merchant_id = ${merchantId} and id = ${orderId} and ${condition} for update`;
  if (!row) throw new DomainError('order_not_found', 'There is no such order at this store.');
  if (row.status === status) return null;
  if (!next[row.status].includes(status)) {
    const details = { status: row.status, requested: status };
    throw new DomainError('order_status_refused', `The order is ${row.status}; it can not be ${status} now.`, details);
  }
  await Promise.all([
    sql`
      update orders set status = ${status}, updated_at = ${now} where merchant_id = ${merchantId} and id = ${orderId}`,
    announce(tx, 'orders', row.qr_code_id),
    announce(tx, 'qrCodes', row.qr_code_id),
  ]);
  return row.status;
}

/** An order that is there. */
export async function findOrder(tx: Tx, orderId: string): Promise<Order> {
  const { merchantId, sql } = tx;
  const [row] = await orderRows(tx, sql`select * from orders where merchant_id = ${merchantId} and id = ${orderId}`);
  if (!row) throw new Error('an order that was just written is not there');
  return toOrder(row);
}

/** The rows of `orders` that a query finds, with their lines, by number. */
export function orderRows({ sql }: Tx, found: Fragment, orderBy: Fragment = sql`o.number`): PromiseLike<Row[]> {
  // Looked up one by one: of a limit that is a parameter, the planner expects a tenth of the table.
  return sql`
    select o.id, o.number, o.qr_code_id, o.client_order_id, q.bill_id, q.table_name, o.status, o.total, o.note,
      o.placed_at, o.updated_at, l.lines
    from (${found}) o
    cross join lateral (
      select bill_id, table_name from qr_codes where merchant_id = o.merchant_id and id = o.qr_code_id limit 1
    ) q
    cross join lateral (
      select json_agg(json_build_object('plu', plu, 'name', name, 'quantity', quantity, 'unitPrice', unit_price,
        'amount', amount, 'options', options, 'note', note) order by position) as lines
      from order_lines where merchant_id = o.merchant_id and order_id = o.id
    ) l
    order by ${orderBy}`;
}

/** An order in its public shape, from a row with its lines. */
export function toOrder(row: Row): Order {
  return {
    orderId: row.id,
    number: row.number,
    qrCodeId: row.qr_code_id,
    billId: row.bill_id,
    table: row.table_name,
    status: row.status,
    total: row.total,
    note: row.note,
    lines: row.lines ?? [],
    placedAt: row.placed_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
