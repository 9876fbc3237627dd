import { and, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { orders } from '@/db/schema';
import { auditPos } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import type { EventSettings } from '../kernel/events';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { requestedStore } from '../merchants';
import { findOrder, isAnnounced, sendOrderEvent } from './orders';
import type { Order, OrderMove, OrderStatus, SetOrderStatusInput, UndoMove } from './schemas';

/** The statuses that can follow each status. Setting the current status again is no change, and no error. */
const nextStatuses: Record<OrderStatus, OrderStatus[]> = {
  placed: ['accepted', 'ready', 'served', 'cancelled'],
  accepted: ['ready', 'served', 'cancelled'],
  ready: ['served', 'cancelled'],
  served: [],
  cancelled: [],
};

/**
 * Sets an order's status. Errors: `order_not_found`, `order_status_refused` for a step back, or out of a final status.
 */
export async function setOrderStatus(ctx: PosContext, input: SetOrderStatusInput): Promise<Order> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await moveOrder(tx, ctx.merchant, store.id, input, ctx.clock.now());
    if (before !== null) {
      const change = { before: { status: before }, after: { status: input.status } };
      await auditPos(tx, ctx, 'order.status', { kind: 'order', id: input.orderId }, input, change);
    }
    return findOrder(tx, input.orderId);
  });
}

const lockOrder = ofEach(['one store', 'all stores'], (of: 'one store' | 'all stores') =>
  prepare((db, given: Given<{ merchantId: string; orderId: string; storeId: string | null }>) =>
    db
      .select({ status: orders.status, qrCodeId: orders.qrCodeId, updatedAt: orders.updatedAt })
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, given.merchantId),
          eq(orders.id, given.orderId),
          // An order that waits for staff is accepted or declined with its table.
          isAnnounced,
          of === 'one store' ? eq(orders.storeId, given.storeId) : undefined,
        ),
      )
      .for('update'),
  ),
);

const writeStatus = prepare(
  (db, given: Given<{ merchantId: string; orderId: string; status: OrderStatus; now: Date }>) =>
    db
      .update(orders)
      .set({ status: sql`${given.status}`, updatedAt: sql`${given.now}` })
      .where(and(eq(orders.merchantId, given.merchantId), eq(orders.id, given.orderId))),
);

/**
 * Sets the status of an order of one store, or of any store if `storeId` is null. Returns the previous status, or null
 * if unchanged. Errors: `order_not_found`, `order_status_refused`.
 */
export async function moveOrder(
  tx: Tx,
  settings: EventSettings,
  storeId: string | null,
  { orderId, status }: OrderMove,
  now: Date,
): Promise<OrderStatus | null> {
  const { merchantId, db } = tx;
  const lock = lockOrder[storeId === null ? 'all stores' : 'one store'];
  const [row] = await lock(db, { merchantId, orderId, storeId });
  if (!row) throw new DomainError('order_not_found', say('orderNotFound'));
  if (row.status === status) return null;
  if (!nextStatuses[row.status].includes(status)) {
    throw refusedStatus(row.status, status);
  }
  await changeStatus(tx, settings, { orderId, qrCodeId: row.qrCodeId, status, now });
  return row.status;
}

const undoMs = 60_000;

/**
 * Undoes a recent change. Returns false if it was already undone. Errors: `order_not_found`, `order_status_refused` if
 * the order has another status by now, a minute has passed, or it was not the person's own change.
 */
export async function undoMove(
  tx: Tx,
  settings: EventSettings,
  { orderId, from, to }: UndoMove,
  now: Date,
  isOwnMove: () => Promise<boolean>,
): Promise<boolean> {
  const { merchantId, db } = tx;
  const [row] = await lockOrder['all stores'](db, { merchantId, orderId, storeId: null });
  if (!row) throw new DomainError('order_not_found', say('orderNotFound'));
  if (row.status === to) return false;
  const isRecent = now.getTime() - row.updatedAt.getTime() <= undoMs;
  if (row.status !== from || !isRecent || !(await isOwnMove())) throw refusedStatus(row.status, to);
  await changeStatus(tx, settings, { orderId, qrCodeId: row.qrCodeId, status: to, now });
  return true;
}

const refusedStatus = (status: OrderStatus, requested: OrderStatus) =>
  new DomainError('order_status_refused', say('orderStatusRefused', { status, asked: requested }), {
    status,
    requested,
  });

async function changeStatus(
  tx: Tx,
  settings: EventSettings,
  { orderId, qrCodeId, status, now }: { orderId: string; qrCodeId: string; status: OrderStatus; now: Date },
): Promise<void> {
  const { merchantId, db } = tx;
  await Promise.all([
    writeStatus(db, { merchantId, orderId, status, now }),
    announceChange(tx, 'orders', qrCodeId),
    announceChange(tx, 'qrCodes', qrCodeId),
  ]);
  await sendOrderEvent(tx, settings, { type: 'order.updated', orderId, now });
}
