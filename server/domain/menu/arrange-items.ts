import { auditStaff } from '../core/audit';
import type { StaffContext } from '../staff/context';
import { findCategory, inOrder, restoreCategory } from './categories';
import { changeMenu, notOnMenu, wholeMenu } from './change-menu';
import { positionIn } from './save-item';

/** Puts a category's items into this order; those that it does not name follow. Errors: `menu_entry_not_found`. */
export function orderItems(
  ctx: StaffContext,
  { categoryId, itemIds }: { categoryId: string; itemIds: string[] },
): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    await findCategory(tx, categoryId);
    const rows = await sql<{ id: string }[]>`
      select id from menu_items
      where merchant_id = ${merchantId} and category_id = ${categoryId} and archived_at is null order by position, id`;
    const present = rows.map(({ id }) => id);
    const order = inOrder(present, itemIds, 'item');
    await sql`
      update menu_items i set position = o.position
      from unnest(${order}::uuid[]) with ordinality as o (id, position)
      where i.merchant_id = ${merchantId} and i.id = o.id and i.position <> o.position`;
    await auditStaff(
      tx,
      ctx,
      'menuCategory.order',
      { kind: 'menuCategory', id: categoryId },
      { before: { itemIds: present }, after: { itemIds: order } },
    );
  });
}

/** Takes items off the menu; what is off it already stays so. Errors: `menu_entry_not_found`. */
export function archiveItems(ctx: StaffContext, { itemIds }: { itemIds: string[] }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const rows = await sql<{ plu: string; is_listed: boolean }[]>`
      select plu, archived_at is null as is_listed from menu_items
      where merchant_id = ${merchantId} and id = any(${itemIds})`;
    if (rows.length !== itemIds.length) throw notOnMenu('item');
    const plus = rows.filter(({ is_listed }) => is_listed).map(({ plu }) => plu);
    if (plus.length === 0) return;
    await sql`
      update menu_items set archived_at = ${ctx.clock.now()}
      where merchant_id = ${merchantId} and id = any(${itemIds}) and archived_at is null`;
    await auditStaff(tx, ctx, 'menuItem.archive', wholeMenu(tx), { before: { plus } });
  });
}

/**
 * Puts archived items back on the menu, behind the others of their categories; an archived category comes back with
 * them. Errors: `menu_entry_not_found`, `invalid_request` for a category that is full, or whose name is taken.
 */
export function restoreItems(ctx: StaffContext, { itemIds }: { itemIds: string[] }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const rows = await sql<{ id: string; plu: string; category_id: string; is_archived: boolean }[]>`
      select id, plu, category_id, archived_at is not null as is_archived from menu_items
      where merchant_id = ${merchantId} and id = any(${itemIds}) order by position, id`;
    if (rows.length !== itemIds.length) throw notOnMenu('item');
    const archived = rows.filter(({ is_archived }) => is_archived);
    for (const categoryId of new Set(archived.map((row) => row.category_id))) {
      await restoreCategory(tx, categoryId);
      const ids = archived.filter((row) => row.category_id === categoryId).map(({ id }) => id);
      const position = await positionIn(tx, categoryId, ids.length);
      await sql`
        update menu_items i set archived_at = null, position = ${position} + o.position - 1
        from unnest(${ids}::uuid[]) with ordinality as o (id, position)
        where i.merchant_id = ${merchantId} and i.id = o.id`;
    }
    if (archived.length === 0) return;
    await auditStaff(tx, ctx, 'menuItem.restore', wholeMenu(tx), { after: { plus: archived.map(({ plu }) => plu) } });
  });
}
