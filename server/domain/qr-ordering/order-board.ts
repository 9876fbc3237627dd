/** Diners' orders for the kitchen: recent ones by status, updated with one tap. */
import { and, count, desc, eq, gt, inArray, lte } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import { auditLog, orders } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { type ListOrder, type Page, seek, seekSql, toPage } from '../kernel/page';
import { readBusiness } from '../merchants';
import { findOrder, isIn, moveOrder, toOrder, undoMove, withLines } from './orders';
import type { DoneOrdersInput, Order, OrderMove, UndoMove } from './schemas';

/** Orders untouched for longer belong to another day. */
const boardHours = 12;
/** Max newest orders per status. */
const maxPerStatus = 100;

const onBoardSince = ({ clock }: StaffContext) => new Date(clock.now().getTime() - boardHours * 60 * 60_000);

/** Open orders of one status, oldest first. */
export interface BoardColumn {
  orders: Order[];
  /** True if older ones are left out. */
  isCut: boolean;
}

type OpenStatus = 'placed' | 'accepted' | 'ready';

/** A store's open orders by status, and how long one waits before it is late. */
export type OrderBoard = Record<OpenStatus, BoardColumn> & { lateOrderMinutes: number };

/** Returns a store's open orders. */
export function getOrderBoard(ctx: StaffContext, { storeId }: { storeId: string }): Promise<OrderBoard> {
  const since = onBoardSince(ctx);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const column = (status: OpenStatus) => readColumn(tx, storeId, status, since);
    const [placed, accepted, ready, { lateOrderMinutes }] = await Promise.all([
      ...([column('placed'), column('accepted'), column('ready')] as const),
      readBusiness(tx),
    ]);
    return { placed, accepted, ready, lateOrderMinutes };
  });
}

/** Counts open orders on the boards of all stores that are late. */
export async function countLateOrders(ctx: StaffContext): Promise<number> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const { lateOrderMinutes } = await readBusiness(tx);
    const lateSince = new Date(ctx.clock.now().getTime() - lateOrderMinutes * 60_000);
    const counted = await db
      .select({ late: count() })
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, merchantId),
          gt(orders.placedAt, onBoardSince(ctx)),
          lte(orders.placedAt, lateSince),
          inArray(orders.status, ['placed', 'accepted', 'ready']).inlineParams(),
        ),
      );
    return only(counted).late;
  });
}

async function readColumn(tx: Tx, storeId: string, status: OpenStatus, since: Date): Promise<BoardColumn> {
  const { merchantId, db } = tx;
  // Reads the newest first and applies the time limit afterwards, so that abandoned orders do not slow it down.
  const newest = db
    .select()
    .from(orders)
    .where(and(eq(orders.merchantId, merchantId), eq(orders.storeId, storeId), isIn(status)))
    .orderBy(desc(orders.number))
    .limit(maxPerStatus + 1)
    .as('found');
  const rows = await withLines(db, newest, { where: gt(newest.placedAt, since), orderBy: [desc(newest.number)] });
  const shown = rows.slice(0, maxPerStatus).reverse();
  return { orders: shown.map(toOrder), isCut: rows.length > maxPerStatus };
}

const newestFirst: ListOrder = { columns: [orders.number], kinds: ['number'], descending: true };

/** Lists a store's recent orders that were served or cancelled, newest first. Errors: `invalid_request`. */
export function listDoneOrders(ctx: StaffContext, input: DoneOrdersInput): Promise<Page<Order>> {
  const page = seek(input, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const { where, orderBy, inOrder, limit } = seekSql(page, newestFirst);
    const newest = db
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, merchantId),
          eq(orders.storeId, input.storeId),
          inArray(orders.status, ['served', 'cancelled']).inlineParams(),
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit)
      .as('found');
    const rows = await withLines(db, newest, {
      where: gt(newest.placedAt, onBoardSince(ctx)),
      orderBy: [inOrder(newest.number)],
    });
    return toPage(rows, page, ({ number }) => [number], toOrder);
  });
}

/** Updates an order's status, as a POS does. Errors: `order_not_found`, `order_status_refused`. */
export function setBoardOrderStatus(ctx: StaffContext, input: OrderMove): Promise<Order> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await moveOrder(tx, null, input, ctx.clock.now());
    if (before !== null) {
      const change = { before: { status: before }, after: { status: input.status } };
      await auditStaff(tx, ctx, 'order.status', { kind: 'order', id: input.orderId }, change);
    }
    return findOrder(tx, input.orderId);
  });
}

/**
 * Takes this person's last status change back, within a minute and while nobody has changed the order since. A till
 * may have billed what it moved itself, so that stays. A cancelled order stays cancelled. Errors: `order_not_found`, `order_status_refused`.
 */
export function undoBoardMove(ctx: StaffContext, input: UndoMove): Promise<Order> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    if (await undoMove(tx, input, ctx.clock.now(), () => isOwnMove(tx, ctx, input))) {
      const change = { before: { status: input.from }, after: { status: input.to } };
      await auditStaff(tx, ctx, 'order.status', { kind: 'order', id: input.orderId }, change);
    }
    return findOrder(tx, input.orderId);
  });
}

/** True if the order's last status change is this one, by this person. */
async function isOwnMove({ merchantId, db }: Tx, { staff }: StaffContext, { orderId, from, to }: UndoMove) {
  const { before, after, actorKind, actorId } = auditLog;
  const [last] = await db
    .select({ before, after, actorKind, actorId })
    .from(auditLog)
    .where(and(eq(auditLog.merchantId, merchantId), eq(auditLog.subjectKind, 'order'), eq(auditLog.subjectId, orderId)))
    .orderBy(desc(auditLog.id))
    .limit(1);
  if (last?.actorKind !== 'staff' || last.actorId !== staff.userId) return false;
  return last.before === JSON.stringify({ status: to }) && last.after === JSON.stringify({ status: from });
}
