import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, insertRows } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { menuItemOptionGroups, menuItemStores, menuItems, menuOptionGroups, menuPhotos } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { checkRevision } from '../kernel/revision';
import { say } from '../kernel/say';
import { checkStoreIds } from '../merchants';
import { findCategory } from './categories';
import { changeMenu, notOnMenu } from './change-menu';
import { findItem } from './items';
import { type ItemInput, menuLimits } from './schemas';

/**
 * Adds an item at the end of its category. Errors: `menu_entry_not_found` for its category, photo or option groups,
 * `store_not_found`, `invalid_request` for a PLU that is already on the menu, or for too many items.
 */
export function createItem(ctx: StaffContext, item: ItemInput): Promise<{ itemId: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const itemId = newId();
    const position = await positionIn(tx, item.categoryId, 1);
    await checkPlu(tx, item.plu);
    await checkReferences(tx, item);
    await db.insert(menuItems).values({ ...toColumns(item), merchantId, id: itemId, position });
    await linkItem(tx, itemId, item);
    await auditStaff(tx, ctx, 'menuItem.create', { kind: 'menuItem', id: itemId }, { after: item });
    return { itemId };
  });
}

/** Updates an item. In a new category, it goes to the end. Errors: as `createItem`, and `edited_meanwhile`. */
export function updateItem(
  ctx: StaffContext,
  { itemId, revision: opened, ...item }: ItemInput & { itemId: string; revision: string },
): Promise<{ revision: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const { revision: found, ...before } = await findItem(tx, itemId);
    checkRevision(opened, found);
    const moves = before.categoryId !== item.categoryId;
    const position = moves ? await positionIn(tx, item.categoryId, 1) : undefined;
    if (before.plu !== item.plu) await checkPlu(tx, item.plu);
    await checkReferences(tx, item);
    await db
      .update(menuItems)
      .set({ ...toColumns(item), position })
      .where(and(eq(menuItems.merchantId, merchantId), eq(menuItems.id, itemId)));
    await db
      .delete(menuItemStores)
      .where(and(eq(menuItemStores.merchantId, merchantId), eq(menuItemStores.itemId, itemId)));
    await db
      .delete(menuItemOptionGroups)
      .where(and(eq(menuItemOptionGroups.merchantId, merchantId), eq(menuItemOptionGroups.itemId, itemId)));
    await linkItem(tx, itemId, item);
    await auditStaff(tx, ctx, 'menuItem.update', { kind: 'menuItem', id: itemId }, { before, after: item });
    return { revision: (await findItem(tx, itemId)).revision };
  });
}

/** Returns the columns of an item's row. */
const toColumns = ({ storeIds: _stores, optionGroupIds: _groups, ...columns }: ItemInput) => columns;

/**
 * Returns the position after a category's last item, if there is room for `added` more. Errors: `menu_entry_not_found`,
 * `invalid_request`.
 */
export async function positionIn(tx: Tx, categoryId: string, added: number): Promise<number> {
  const { merchantId, db } = tx;
  const { name } = await findCategory(tx, categoryId);
  const { listed, last } = only(
    await db
      .select({
        listed: sql<number>`count(*) filter (where ${isNull(menuItems.archivedAt)})`,
        last: sql<number>`coalesce(max(${menuItems.position}), 0)`,
      })
      .from(menuItems)
      .where(and(eq(menuItems.merchantId, merchantId), eq(menuItems.categoryId, categoryId))),
  );
  if (listed + added > menuLimits.itemsOfCategory) {
    throw invalid('categoryId', say('categoryFull', { name, count: menuLimits.itemsOfCategory }));
  }
  return last + 1;
}

async function checkPlu({ merchantId, db }: Tx, plu: string): Promise<void> {
  const [other] = await db
    .select({ name: menuItems.name, archivedAt: menuItems.archivedAt })
    .from(menuItems)
    .where(and(eq(menuItems.merchantId, merchantId), eq(menuItems.plu, plu)));
  if (!other) return;
  const { name, archivedAt } = other;
  throw invalid('plu', say(archivedAt ? 'pluOfArchivedItem' : 'pluOfItem', { name }));
}

async function checkReferences(tx: Tx, { allStores, storeIds, optionGroupIds, photoId }: ItemInput): Promise<void> {
  const { merchantId, db } = tx;
  if (!allStores) await checkStoreIds(tx, storeIds);
  const [found, photos] = await Promise.all([
    db
      .select({ groups: count() })
      .from(menuOptionGroups)
      .where(and(eq(menuOptionGroups.merchantId, merchantId), anyOf(menuOptionGroups.id, optionGroupIds))),
    // Locked until the item refers to it, because unused photos are deleted.
    photoId === null
      ? []
      : db
          .select({ id: menuPhotos.id })
          .from(menuPhotos)
          .where(and(eq(menuPhotos.merchantId, merchantId), eq(menuPhotos.id, photoId)))
          .for('key share'),
  ]);
  if (only(found).groups !== optionGroupIds.length) throw notOnMenu('option group');
  if (photoId !== null && photos.length !== 1) throw notOnMenu('photo');
}

/** Links items to the stores that sell them. */
export const linkStores = insertRows(menuItemStores, ['itemId', 'storeId']);
const linkOptionGroups = insertRows(menuItemOptionGroups, ['itemId', 'groupId', 'position']);

/** Links a new item to its stores and option groups. */
async function linkItem(tx: Tx, itemId: string, { allStores, storeIds, optionGroupIds }: ItemInput): Promise<void> {
  await linkStores(tx, allStores ? [] : storeIds.map((storeId) => ({ itemId, storeId })));
  await linkOptionGroups(
    tx,
    optionGroupIds.map((groupId, index) => ({ itemId, groupId, position: index + 1 })),
  );
}
