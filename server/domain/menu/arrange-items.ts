import { and, eq, isNull, ne } from 'drizzle-orm';
import { anyOf } from '@/db/query/expressions';
import { menuItems } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { findCategory, inOrder, restoreCategory } from './categories';
import { changeMenu, notOnMenu, positionsFrom, wholeMenu } from './change-menu';
import { positionIn } from './save-item';

/** Puts a category's items into this order. Items that are not named follow. Errors: `menu_entry_not_found`. */
export function orderItems(
  ctx: StaffContext,
  { categoryId, itemIds }: { categoryId: string; itemIds: string[] },
): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    await findCategory(tx, categoryId);
    const rows = await db
      .select({ id: menuItems.id })
      .from(menuItems)
      .where(
        and(eq(menuItems.merchantId, merchantId), eq(menuItems.categoryId, categoryId), isNull(menuItems.archivedAt)),
      )
      .orderBy(menuItems.position, menuItems.id);
    const present = rows.map(({ id }) => id);
    const order = inOrder(present, itemIds, 'item');
    const { $rows, id, position } = positionsFrom(order, 1);
    await db
      .update(menuItems)
      .set({ position })
      .from($rows)
      .where(and(eq(menuItems.merchantId, merchantId), eq(menuItems.id, id), ne(menuItems.position, position)));
    await auditStaff(
      tx,
      ctx,
      'menuCategory.order',
      { kind: 'menuCategory', id: categoryId },
      { before: { itemIds: present }, after: { itemIds: order } },
    );
  });
}

/** Archives items. Does nothing to archived ones. Errors: `menu_entry_not_found`. */
export function archiveItems(ctx: StaffContext, { itemIds }: { itemIds: string[] }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const isNamed = and(eq(menuItems.merchantId, merchantId), anyOf(menuItems.id, itemIds));
    const rows = await db
      .select({ plu: menuItems.plu, archivedAt: menuItems.archivedAt })
      .from(menuItems)
      .where(isNamed);
    if (rows.length !== itemIds.length) throw notOnMenu('item');
    const plus = rows.filter(({ archivedAt }) => archivedAt === null).map(({ plu }) => plu);
    if (plus.length === 0) return;
    await db
      .update(menuItems)
      .set({ archivedAt: ctx.clock.now() })
      .where(and(isNamed, isNull(menuItems.archivedAt)));
    await auditStaff(tx, ctx, 'menuItem.archive', wholeMenu(tx), { before: { plus } });
  });
}

/**
 * Restores archived items at the end of their categories, and their category if it is archived. Errors:
 * `menu_entry_not_found`, `invalid_request` for a category that is full or whose name is taken.
 */
export function restoreItems(ctx: StaffContext, { itemIds }: { itemIds: string[] }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const rows = await db
      .select({
        id: menuItems.id,
        plu: menuItems.plu,
        categoryId: menuItems.categoryId,
        archivedAt: menuItems.archivedAt,
      })
      .from(menuItems)
      .where(and(eq(menuItems.merchantId, merchantId), anyOf(menuItems.id, itemIds)))
      .orderBy(menuItems.position, menuItems.id);
    if (rows.length !== itemIds.length) throw notOnMenu('item');
    const archived = rows.filter(({ archivedAt }) => archivedAt !== null);
    for (const categoryId of new Set(archived.map((row) => row.categoryId))) {
      await restoreCategory(tx, categoryId);
      const ids = archived.filter((row) => row.categoryId === categoryId).map(({ id }) => id);
      const { $rows, id, position } = positionsFrom(ids, await positionIn(tx, categoryId, ids.length));
      await db
        .update(menuItems)
        .set({ archivedAt: null, position })
        .from($rows)
        .where(and(eq(menuItems.merchantId, merchantId), eq(menuItems.id, id)));
    }
    if (archived.length === 0) return;
    await auditStaff(tx, ctx, 'menuItem.restore', wholeMenu(tx), { after: { plus: archived.map(({ plu }) => plu) } });
  });
}
