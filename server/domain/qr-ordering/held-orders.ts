/**
 * The first order by a table's card waits until staff accept it, because a card can be photographed (ADR 38). Until
 * then its number is negative, so no list by number contains it. When it is accepted it gets a new number, so a till
 * that continues from a number receives it then.
 */

import { and, count, desc, eq, gt, sql } from 'drizzle-orm';
import { type Tx, withMerchant, withSnapshot } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { orders, qrCodes, stores } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { defaultMinutes, qrCodeNotFound, sendCodeEvents } from './bill-code';
import type { CodeName } from './find-code';
import { isWaiting, type StoreOrder, sendOrderEvent, toStoreOrder, withLines } from './orders';
import { ensureOpen, lockCode } from './place-order';
import type { WaitingOrdersInput } from './schemas';
import { endCallsOf } from './table-calls';

/** Max tables on a board whose guests wait. */
const maxOnBoard = 100;

/** A table whose guests' first orders wait. */
export interface WaitingTable {
  qrCodeId: string;
  storeId: string;
  billId: string;
  table: string | null;
  /** True if the guests opened the bill themselves. No till knows of it yet. */
  isNew: boolean;
  /** The time of their first order. */
  placedAt: string;
  /** Oldest first. */
  orders: StoreOrder[];
}

/** Returns the tables with waiting first orders, of one store or of all, those that wait longest first. */
export async function readWaitingTables(
  tx: Tx,
  storeId: string | undefined,
  since: Date,
  now: Date,
): Promise<WaitingTable[]> {
  const { merchantId, db } = tx;
  const isInScope = storeId === undefined ? undefined : eq(orders.storeId, storeId);
  const found = db
    .select()
    .from(orders)
    .where(and(eq(orders.merchantId, merchantId), isInScope, isWaiting, gt(orders.placedAt, since)))
    .orderBy(storeId === undefined ? orders.placedAt : orders.number)
    .limit(3 * maxOnBoard)
    .as('found');
  const rows = await withLines(db, found, { orderBy: [desc(found.number)] });
  if (rows.length === 0) return [];
  const codes = await db
    .select({ id: qrCodes.id, openedBy: qrCodes.openedBy, confirmedAt: qrCodes.confirmedAt })
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.merchantId, merchantId),
        anyOf(qrCodes.id, [...new Set(rows.map(({ qrCodeId }) => qrCodeId))]),
        eq(qrCodes.status, 'active').inlineParams(),
        gt(qrCodes.expiresAt, now),
      ),
    );
  const tables = codes.flatMap(({ id: qrCodeId, openedBy, confirmedAt }) => {
    const waiting = rows.filter((row) => row.qrCodeId === qrCodeId).map(toStoreOrder);
    const [first] = waiting;
    if (!first) return [];
    const { billId, table, placedAt } = first;
    return [
      {
        qrCodeId,
        storeId: first.storeId,
        billId,
        table,
        placedAt,
        orders: waiting,
        isNew: openedBy === 'diner' && confirmedAt === null,
      },
    ];
  });
  return tables.sort((one, other) => one.placedAt.localeCompare(other.placedAt));
}

/**
 * Accepts the given waiting orders of a table, which staff have seen. These, and all later orders on the bill, are then
 * like any others. Orders that arrived unseen still wait, because a stranger may have sent them. If the table's guests
 * opened the bill, tills are now told of it. Returns how many were accepted; 0 if none of them was waiting. Errors:
 * `qr_code_not_found`, `qr_code_closed`.
 */
export function acceptTable(
  ctx: StaffContext,
  { qrCodeId, orderIds }: WaitingOrdersInput,
): Promise<{ accepted: number }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { code, waiting, now } = await lockWaiting(tx, ctx, qrCodeId);
    ensureOpen(code, now);
    const seen = waiting.filter(({ id }) => orderIds.includes(id));
    if (seen.length === 0) return { accepted: 0 };
    const isNew = code.openedBy === 'diner' && code.confirmedAt === null;
    const expiresAt = new Date(now.getTime() + defaultMinutes * 60_000);
    await tx.db
      .update(qrCodes)
      .set({ confirmedAt: now, ...(isNew ? { expiresAt } : {}) })
      .where(and(eq(qrCodes.merchantId, tx.merchantId), eq(qrCodes.id, qrCodeId)));
    if (isNew) await sendCodeEvents(tx, ctx.merchant, { type: 'qr_code.opened', ids: [qrCodeId], now });
    for (const { id } of seen) {
      await tx.db
        .update(orders)
        .set({ number: await nextNumber(tx, code.storeId), placedAt: now, updatedAt: now })
        .where(isOrder(tx, id));
      await sendOrderEvent(tx, ctx.merchant, { type: 'order.placed', orderId: id, now });
    }
    await finish(tx, ctx, 'qrCode.accept', qrCodeId, seen.length);
    return { accepted: seen.length };
  });
}

/**
 * Declines the given waiting orders of a table, which staff have seen. If the guests opened the bill and no order is
 * left on it, it is closed, and no till ever learns of it. Returns how many were declined. Errors: `qr_code_not_found`.
 */
export function declineTable(
  ctx: StaffContext,
  { qrCodeId, orderIds }: WaitingOrdersInput,
): Promise<{ declined: number }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { code, waiting, now } = await lockWaiting(tx, ctx, qrCodeId);
    const seen = waiting.filter(({ id }) => orderIds.includes(id));
    if (seen.length === 0) return { declined: 0 };
    await tx.db
      .update(orders)
      .set({ status: 'cancelled', updatedAt: now })
      .where(
        and(
          eq(orders.merchantId, tx.merchantId),
          anyOf(
            orders.id,
            seen.map(({ id }) => id),
          ),
        ),
      );
    const isOver = seen.length === waiting.length && code.status === 'active';
    if (isOver && code.openedBy === 'diner' && code.confirmedAt === null) {
      await tx.db
        .update(qrCodes)
        .set({ status: 'invalidated', invalidatedAt: now, invalidatedBy: 'staff' })
        .where(and(eq(qrCodes.merchantId, tx.merchantId), eq(qrCodes.id, qrCodeId)));
      await endCallsOf(tx, ctx.merchant, [qrCodeId], now);
    }
    await finish(tx, ctx, 'qrCode.decline', qrCodeId, seen.length);
    return { declined: seen.length };
  });
}

/** Reads whether staff have accepted an order by the card, and how many orders still wait. */
export function readWaiting(
  { db }: Services,
  { merchantId, qrCodeId }: CodeName,
): Promise<{ isConfirmed: boolean; waiting: number }> {
  return withSnapshot(db, merchantId, async (tx) => {
    const ofCode = and(eq(orders.merchantId, merchantId), eq(orders.qrCodeId, qrCodeId), isWaiting);
    const [codes, counted] = await Promise.all([
      tx.db
        .select({ confirmedAt: qrCodes.confirmedAt })
        .from(qrCodes)
        .where(and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.id, qrCodeId))),
      tx.db.select({ waiting: count() }).from(orders).where(ofCode),
    ]);
    return { isConfirmed: (codes[0]?.confirmedAt ?? null) !== null, waiting: only(counted).waiting };
  });
}

/** Locks a code, so that accepting, declining, ordering and closing take turns, and reads the waiting orders. */
async function lockWaiting(tx: Tx, { clock }: StaffContext, qrCodeId: string) {
  const { merchantId, db } = tx;
  const [code] = await lockCode(db, { merchantId, qrCodeId });
  if (!code) throw qrCodeNotFound();
  const waiting = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.merchantId, merchantId), eq(orders.qrCodeId, qrCodeId), isWaiting))
    .orderBy(desc(orders.number));
  return { code, waiting, now: clock.now() };
}

const isOrder = ({ merchantId }: Tx, id: string) => and(eq(orders.merchantId, merchantId), eq(orders.id, id));

/** The store's row stays locked until the commit, as for any new order. */
async function nextNumber({ merchantId, db }: Tx, storeId: string): Promise<number> {
  const counted = await db
    .update(stores)
    .set({ lastOrderNumber: sql`${stores.lastOrderNumber} + 1` })
    .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId)))
    .returning({ number: stores.lastOrderNumber });
  return only(counted).number;
}

async function finish(tx: Tx, ctx: StaffContext, action: string, qrCodeId: string, orderCount: number): Promise<void> {
  await Promise.all([
    auditStaff(tx, ctx, action, { kind: 'qrCode', id: qrCodeId }, { after: { orders: orderCount } }),
    announceChange(tx, 'orders', qrCodeId),
    announceChange(tx, 'qrCodes', qrCodeId),
  ]);
}
