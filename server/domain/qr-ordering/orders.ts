import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { auditPos } from '../core/audit';
import type { PosContext } from '../core/context';
import { fromCursor, toCursor, uuidKey } from '../core/cursor';
import { DomainError } from '../core/errors';
import { checkOccurredAt } from '../core/occurred-at';
import { requestedStore } from '../merchants/store';
import type { ListOrdersInput, Order, OrderStatus, SetOrderStatusInput } from './schemas';

/** Where an order can go from where it stands; to where it is already is no move, and no error. */
const next: Record<OrderStatus, OrderStatus[]> = {
  placed: ['accepted', 'ready', 'served', 'cancelled'],
  accepted: ['ready', 'served', 'cancelled'],
  ready: ['served', 'cancelled'],
  served: [],
  cancelled: [],
};

const defaultLimit = 50;
/** How many orders a bill can hold. */
export const mostOrdersOfCode = 200;

/** Diners' orders of a store, oldest first, for a POS to take. Errors: `invalid_request` for a foreign cursor. */
export async function listOrders(ctx: PosContext, input: ListOrdersInput) {
  const store = await requestedStore(ctx, input.storeCode);
  const after = fromCursor(input.after, uuidKey);
  const limit = input.limit ?? defaultLimit;
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { sql } = tx;
    const conditions = sql`o.store_id = ${store.id}
      ${input.status === undefined ? sql`` : sql`and o.status = ${input.status}`}
      ${after === null ? sql`` : sql`and o.id > ${after}`}`;
    const items = await selectOrders(tx, conditions, limit + 1);
    const page = items.slice(0, limit);
    return { items: page, nextCursor: items.length > limit ? toCursor(page[limit - 1]?.orderId ?? '') : null };
  });
}

/** The orders placed with a code, oldest first. */
export function ordersOf(tx: Tx, qrCodeId: string): Promise<Order[]> {
  return selectOrders(tx, tx.sql`o.qr_code_id = ${qrCodeId}`, mostOrdersOfCode);
}

/**
 * Moves an order on. Errors: `order_not_found`, `order_status_refused` for a step back, or out of a final status.
 */
export async function setOrderStatus(ctx: PosContext, input: SetOrderStatusInput): Promise<Order> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const now = ctx.clock.now();
    const [row] = await sql<{ status: OrderStatus }[]>`
      select status from orders
      where merchant_id = ${merchantId} and store_id = ${store.id} and id = ${input.orderId} for update`;
    if (!row) throw new DomainError('order_not_found', 'There is no such order at this store.');
    if (row.status !== input.status) {
      if (!next[row.status].includes(input.status)) {
        const details = { status: row.status, requested: input.status };
        throw new DomainError(
          'order_status_refused',
          `The order is ${row.status}; it can not be ${input.status} now.`,
          details,
        );
      }
      await sql`
        update orders set status = ${input.status}, updated_at = ${now}
        where merchant_id = ${merchantId} and id = ${input.orderId}`;
      const change = { before: row.status, after: { status: input.status } };
      await auditPos(tx, ctx, 'order.status', { kind: 'order', id: input.orderId }, input, change);
    }
    return findOrder(tx, input.orderId);
  });
}

/** An order that is there. */
export async function findOrder(tx: Tx, orderId: string): Promise<Order> {
  const [order] = await selectOrders(tx, tx.sql`o.id = ${orderId}`, 1);
  if (!order) throw new Error('an order that was just written is not there');
  return order;
}

async function selectOrders({ merchantId, sql }: Tx, condition: Fragment, limit: number): Promise<Order[]> {
  const rows = await sql`
    select o.id, o.qr_code_id, q.bill_id, q.table_name, o.status, o.total, o.note, o.placed_at, o.updated_at, l.lines
    from orders o
    join qr_codes q on q.merchant_id = o.merchant_id and q.id = o.qr_code_id
    cross join lateral (
      select json_agg(json_build_object('plu', plu, 'name', name, 'quantity', quantity, 'unitPrice', unit_price,
        'amount', amount, 'options', options, 'note', note) order by position) as lines
      from order_lines where merchant_id = o.merchant_id and order_id = o.id
    ) l
    where o.merchant_id = ${merchantId} and ${condition}
    order by o.id limit ${limit}`;
  return rows.map(toOrder);
}

function toOrder(row: Row): Order {
  return {
    orderId: row.id,
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
