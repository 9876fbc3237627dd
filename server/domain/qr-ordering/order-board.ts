/** Diners' orders for the kitchen: recent ones by status, updated with one tap. */

import { and, count, desc, eq, gt, inArray, lte, type SQL } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { auditLog, orders } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { type ListOrder, type Page, type Seek, seekPage, seekSql, toPage } from '../kernel/page';
import { readBusiness } from '../merchants';
import { readWaitingTables, type WaitingTable } from './held-orders';
import { moveOrder, undoMove } from './order-status';
import { findOrder, isAnnounced, isIn, type OrderRow, type StoreOrder, toStoreOrder, withLines } from './orders';
import type { DoneOrdersInput, Order, OrderBoardInput, OrderMove, UndoMove } from './schemas';
import { readWaitingCalls, type WaitingCall } from './table-calls';

/** Orders untouched for longer belong to another day. */
const boardHours = 12;
/** Max newest orders per status. */
const maxPerStatus = 100;

export const onBoardSince = ({ clock }: StaffContext) => new Date(clock.now().getTime() - boardHours * 60 * 60_000);

/** Open orders of one status, oldest first. */
export interface BoardColumn {
  orders: StoreOrder[];
  /** True if older ones are left out. */
  isCut: boolean;
}

type OpenStatus = 'placed' | 'accepted' | 'ready';

/** Open orders by status, how long one waits before it is late, and the calls from tables, oldest first. */
export type OrderBoard = Record<OpenStatus, BoardColumn> & {
  lateOrderMinutes: number;
  calls: WaitingCall[];
  /** Tables whose first orders staff have to accept. */
  waiting: WaitingTable[];
};

/** Returns the open orders of one store, or of all. */
export function getOrderBoard(ctx: StaffContext, { storeId }: OrderBoardInput): Promise<OrderBoard> {
  const since = onBoardSince(ctx);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const column = (status: OpenStatus) => readColumn(tx, storeId, status, since);
    const [placed, accepted, ready, { lateOrderMinutes }, waiting, calls] = await Promise.all([
      ...([column('placed'), column('accepted'), column('ready')] as const),
      readBusiness(tx),
      readWaitingTables(tx, storeId, since, ctx.clock.now()),
      readWaitingCalls(tx, storeId, ctx.clock.now()),
    ]);
    return { placed, accepted, ready, lateOrderMinutes, waiting, calls };
  });
}

export interface LateOrders {
  count: number;
  /** Their store, if all are in one. */
  storeId: string | null;
}

/** Counts late open orders, over all stores' boards. */
export async function countLateOrders(ctx: StaffContext): Promise<LateOrders> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const { lateOrderMinutes } = await readBusiness(tx);
    const lateSince = new Date(ctx.clock.now().getTime() - lateOrderMinutes * 60_000);
    const { storeId } = orders;
    const late = await db
      .select({ storeId, count: count() })
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, merchantId),
          gt(orders.placedAt, onBoardSince(ctx)),
          lte(orders.placedAt, lateSince),
          isAnnounced,
          inArray(orders.status, ['placed', 'accepted', 'ready']).inlineParams(),
        ),
      )
      .groupBy(storeId);
    const [first] = late;
    return {
      count: late.reduce((sum, of) => sum + of.count, 0),
      storeId: first && late.length === 1 ? first.storeId : null,
    };
  });
}

/** Newest first: by number within one store, by time over all stores, because each store has its own numbers. */
const ofOneStore: ListOrder = { columns: [orders.number], kinds: ['number'], descending: true };
const ofAllStores: ListOrder = { columns: [orders.placedAt, orders.id], kinds: ['instant', 'uuid'], descending: true };
const orderOf = (storeId: string | undefined) => (storeId === undefined ? ofAllStores : ofOneStore);

interface Newest {
  storeId: string | undefined;
  isWanted: SQL | undefined;
  since: Date;
  page: Seek;
}

/** Selects a page of the newest recent orders with their lines. */
function readNewest({ merchantId, db }: Tx, { storeId, isWanted, since, page }: Newest) {
  const { where, orderBy, inOrder, limit } = seekSql(page, orderOf(storeId));
  // Within one store, the time limit is applied to the rows found, so that abandoned orders do not slow the query down.
  const isInScope = storeId === undefined ? gt(orders.placedAt, since) : eq(orders.storeId, storeId);
  const newest = db
    .select()
    .from(orders)
    .where(and(eq(orders.merchantId, merchantId), isInScope, isAnnounced, isWanted, where))
    .orderBy(...orderBy)
    .limit(limit)
    .as('found');
  const columns = storeId === undefined ? [newest.placedAt, newest.id] : [newest.number];
  return withLines(db, newest, { where: gt(newest.placedAt, since), orderBy: columns.map(inOrder) });
}

async function readColumn(tx: Tx, storeId: string | undefined, status: OpenStatus, since: Date): Promise<BoardColumn> {
  const page = seekPage({ limit: maxPerStatus }, orderOf(storeId));
  const rows = await readNewest(tx, { storeId, isWanted: isIn(status), since, page });
  const shown = rows.slice(0, maxPerStatus).reverse();
  return { orders: shown.map(toStoreOrder), isCut: rows.length > maxPerStatus };
}

/** Lists recent orders of one store or of all that were served or cancelled, newest first. Errors: `invalid_request`. */
export function listDoneOrders(ctx: StaffContext, { storeId, ...input }: DoneOrdersInput): Promise<Page<StoreOrder>> {
  const page = seekPage(input, orderOf(storeId));
  const isWanted = inArray(orders.status, ['served', 'cancelled']).inlineParams();
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const rows = await readNewest(tx, { storeId, isWanted, since: onBoardSince(ctx), page });
    const keyOf = (row: OrderRow) => (storeId === undefined ? [row.placedAt, row.orderId] : [row.number]);
    return toPage(rows, page, keyOf, toStoreOrder);
  });
}

/** Updates an order's status, as a POS does. Errors: `order_not_found`, `order_status_refused`. */
export function setBoardOrderStatus(ctx: StaffContext, input: OrderMove): Promise<Order> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await moveOrder(tx, ctx.merchant, null, input, ctx.clock.now());
    if (before !== null) {
      const change = { before: { status: before }, after: { status: input.status } };
      await auditStaff(tx, ctx, 'order.status', { kind: 'order', id: input.orderId }, change);
    }
    return findOrder(tx, input.orderId);
  });
}

/**
 * Undoes this person's last status change, within a minute, if the order has not changed since. A change that staff
 * made by a till is not undone, because the till may have billed it. A cancelled order stays cancelled. Errors:
 * `order_not_found`, `order_status_refused`.
 */
export function undoBoardMove(ctx: StaffContext, input: UndoMove): Promise<Order> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    if (await undoMove(tx, ctx.merchant, input, ctx.clock.now(), () => isOwnMove(tx, ctx, input))) {
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
