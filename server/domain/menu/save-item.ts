import type { Tx } from '@/db/client';
import { auditStaff } from '../core/audit';
import { invalid } from '../core/errors';
import { newId } from '../core/ids';
import { checkRevision } from '../core/revision';
import { checkStoreIds } from '../merchants/store';
import type { StaffContext } from '../staff/context';
import { findCategory } from './categories';
import { changeMenu, notOnMenu } from './change-menu';
import { findItem } from './items';
import { type ItemInput, menuLimits } from './schemas';

/**
 * Adds an item behind the others of its category. Errors: `menu_entry_not_found` for its category, photo or option
 * groups, `store_not_found`, `invalid_request` for a PLU that is on the menu already, or one item too many.
 */
export function createItem(ctx: StaffContext, item: ItemInput): Promise<{ itemId: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const itemId = newId();
    const position = await positionIn(tx, item.categoryId, 1);
    await checkPlu(tx, item.plu);
    await checkReferences(tx, item);
    await sql`
      insert into menu_items (merchant_id, id, category_id, plu, name, description, translations, price, allergens,
        photo_id, all_stores, position)
      values (${merchantId}, ${itemId}, ${item.categoryId}, ${item.plu}, ${item.name}, ${item.description},
        ${JSON.stringify(item.translations)}::text::jsonb, ${item.price}, ${item.allergens}, ${item.photoId},
        ${item.allStores}, ${position})`;
    await link(tx, itemId, item);
    await auditStaff(tx, ctx, 'menuItem.create', { kind: 'menuItem', id: itemId }, { after: item });
    return { itemId };
  });
}

/** Errors: as above, and `edited_meanwhile`. What moves to another category comes behind its items. */
export function updateItem(
  ctx: StaffContext,
  { itemId, revision: opened, ...item }: ItemInput & { itemId: string; revision: string },
): Promise<{ revision: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const { revision: found, ...before } = await findItem(tx, itemId);
    checkRevision(opened, found);
    const moves = before.categoryId !== item.categoryId;
    const position = moves ? await positionIn(tx, item.categoryId, 1) : null;
    if (before.plu !== item.plu) await checkPlu(tx, item.plu);
    await checkReferences(tx, item);
    await sql`
      update menu_items set category_id = ${item.categoryId}, plu = ${item.plu}, name = ${item.name},
        description = ${item.description}, translations = ${JSON.stringify(item.translations)}::text::jsonb,
        price = ${item.price}, allergens = ${item.allergens}, photo_id = ${item.photoId},
        all_stores = ${item.allStores}, position = coalesce(${position}, position)
      where merchant_id = ${merchantId} and id = ${itemId}`;
    await sql`delete from menu_item_stores where merchant_id = ${merchantId} and item_id = ${itemId}`;
    await sql`delete from menu_item_option_groups where merchant_id = ${merchantId} and item_id = ${itemId}`;
    await link(tx, itemId, item);
    await auditStaff(tx, ctx, 'menuItem.update', { kind: 'menuItem', id: itemId }, { before, after: item });
    return { revision: (await findItem(tx, itemId)).revision };
  });
}

/**
 * The first position behind a category's items, where `added` more have room.
 * Errors: `menu_entry_not_found`, `invalid_request`.
 */
export async function positionIn(tx: Tx, categoryId: string, added: number): Promise<number> {
  const { merchantId, sql } = tx;
  const { name } = await findCategory(tx, categoryId);
  const [{ count, last }] = await sql<[{ count: number; last: number }]>`
    select count(*) filter (where archived_at is null)::int as count, coalesce(max(position), 0) as last
    from menu_items where merchant_id = ${merchantId} and category_id = ${categoryId}`;
  if (count + added > menuLimits.itemsOfCategory) {
    throw invalid(
      'categoryId',
      `is full: ${name} has the most items a category can have, ${menuLimits.itemsOfCategory}`,
    );
  }
  return last + 1;
}

async function checkPlu({ merchantId, sql }: Tx, plu: string): Promise<void> {
  const [other] =
    await sql`select name, archived_at from menu_items where merchant_id = ${merchantId} and plu = ${plu}`;
  if (!other) return;
  throw invalid(
    'plu',
    other.archived_at ? `is of an archived item: ${other.name}` : `is on the menu already: ${other.name}`,
  );
}

async function checkReferences(tx: Tx, { allStores, storeIds, optionGroupIds, photoId }: ItemInput): Promise<void> {
  const { merchantId, sql } = tx;
  if (!allStores) await checkStoreIds(tx, storeIds);
  const [[found], photos] = await Promise.all([
    sql`
      select count(*)::int as groups from menu_option_groups
      where merchant_id = ${merchantId} and id = any(${optionGroupIds})`,
    // Locked until the item has it, for photos that no item has are deleted.
    sql`select from menu_photos where merchant_id = ${merchantId} and id = ${photoId} for key share`,
  ]);
  if (found?.groups !== optionGroupIds.length) throw notOnMenu('option group');
  if (photoId !== null && photos.length !== 1) throw notOnMenu('photo');
}

/** Ties an item that is tied to nothing to its stores and choices. */
async function link({ merchantId, sql }: Tx, itemId: string, item: ItemInput): Promise<void> {
  const storeIds = item.allStores ? [] : item.storeIds;
  await sql`
    insert into menu_item_stores (merchant_id, item_id, store_id)
    select ${merchantId}, ${itemId}, id from unnest(${storeIds}::uuid[]) as id`;
  await sql`
    insert into menu_item_option_groups (merchant_id, item_id, group_id, position)
    select ${merchantId}, ${itemId}, id, position
    from unnest(${item.optionGroupIds}::uuid[]) with ordinality as o (id, position)`;
}
