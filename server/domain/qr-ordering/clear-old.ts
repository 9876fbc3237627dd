/** Staff clear orders that everyone has forgotten to mark, at the end of a rush. */

import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { orders } from '@/db/schema';
import { auditAll } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { sendEvents, wantsEvent } from '../kernel/events';
import { onBoardSince } from './order-board';
import { isAnnounced, toOrder, withLines } from './orders';
import { type ClearOldOrdersInput, order } from './schemas';

/** More than a board shows. */
const maxAtOnce = 500;

/**
 * Marks as served the open orders on a board, of one store or of all, that were placed at least `minutes` ago. Orders
 * that wait for staff stay. Returns how many: a second call finds none.
 */
export function clearOldOrders(
  ctx: StaffContext,
  { storeId, minutes }: ClearOldOrdersInput,
): Promise<{ cleared: number }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const now = ctx.clock.now();
    const old = await db
      .select({ id: orders.id, status: orders.status, qrCodeId: orders.qrCodeId })
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, merchantId),
          storeId === undefined ? undefined : eq(orders.storeId, storeId),
          gt(orders.placedAt, onBoardSince(ctx)),
          lte(orders.placedAt, new Date(now.getTime() - minutes * 60_000)),
          isAnnounced,
          inArray(orders.status, ['placed', 'accepted', 'ready']).inlineParams(),
        ),
      )
      .orderBy(orders.id)
      .limit(maxAtOnce)
      .for('update');
    if (old.length === 0) return { cleared: 0 };
    const are = and(
      eq(orders.merchantId, merchantId),
      anyOf(
        orders.id,
        old.map(({ id }) => id),
      ),
    );
    await Promise.all([
      db.update(orders).set({ status: 'served', updatedAt: now }).where(are),
      auditAll(
        tx,
        old.map(({ id, status }) => ({
          actor: { kind: 'staff', id: ctx.staff.userId },
          action: 'order.status',
          subject: { kind: 'order', id },
          at: now,
          before: { status },
          after: { status: 'served' },
        })),
      ),
      ...[...new Set(old.map(({ qrCodeId }) => qrCodeId))].flatMap((qrCodeId) => [
        announceChange(tx, 'orders', qrCodeId),
        announceChange(tx, 'qrCodes', qrCodeId),
      ]),
    ]);
    if (wantsEvent(ctx.merchant, 'order.updated')) {
      const rows = await withLines(db, db.select().from(orders).where(are).as('found'));
      sendEvents(
        tx,
        rows.map((row) => ({
          type: 'order.updated',
          storeId: row.storeId,
          occurredAt: now,
          data: order.parse(toOrder(row)),
        })),
      );
    }
    return { cleared: old.length };
  });
}
