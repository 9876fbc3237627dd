/** Reads the menu's items for the back office. */

import { and, eq, ilike, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { menuCategories, menuItemOptionGroups, menuItemStores, menuItems, stores } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { lacksTranslationSql } from '../kernel/missing-translations-sql';
import { iteratePages, type ListOrder, type Page, seekPage, seekSql, toPage } from '../kernel/page';
import { revisionOf } from '../kernel/revision';
import { notOnMenu } from './change-menu';
import type { ItemInput, SearchItemsInput } from './schemas';

export interface MenuItem extends ItemInput {
  itemId: string;
  revision: string;
  categoryName: string;
  archivedAt: Date | null;
}

/** Lists a category's items in order. */
export async function listCategoryItems(
  { db, merchant }: StaffContext,
  { categoryId }: { categoryId: string },
): Promise<MenuItem[]> {
  const rows = await withMerchant(db, merchant.id, (tx) =>
    selectItems(tx, and(eq(menuItems.categoryId, categoryId), isNull(menuItems.archivedAt))).orderBy(
      menuItems.position,
      menuItems.id,
    ),
  );
  return rows.map(toItem);
}

const byName: ListOrder = { columns: [menuItems.name, menuItems.id], kinds: ['text', 'uuid'], descending: false };

/**
 * Finds items whose name contains the text or whose PLU starts with it, sorted by name. Errors: `invalid_request` for a
 * cursor of another list.
 */
export async function searchItems(
  { db, merchant }: StaffContext,
  { search, status, ...page }: SearchItemsInput,
): Promise<Page<MenuItem>> {
  const at = seekPage(page, byName);
  const literal = search.replaceAll(/[\\%_]/g, '\\$&');
  const { where, orderBy, limit } = seekSql(at, byName);
  const isOfStatus = {
    listed: isNull(menuItems.archivedAt),
    untranslated: and(isNull(menuItems.archivedAt), lacksTranslationSql(merchant, menuItems.translations)),
    archived: isNotNull(menuItems.archivedAt),
  }[status];
  const isFound =
    search === '' ? undefined : or(ilike(menuItems.name, `%${literal}%`), ilike(menuItems.plu, `${literal}%`));
  const rows = await withMerchant(db, merchant.id, (tx) =>
    selectItems(tx, and(where, isOfStatus, isFound))
      .orderBy(...orderBy)
      .limit(limit),
  );
  return toPage(rows, at, ({ name, itemId }) => [name, itemId], toItem);
}

/** Errors: `menu_entry_not_found`. */
export async function getItem({ db, merchant }: StaffContext, { itemId }: { itemId: string }): Promise<MenuItem> {
  return withMerchant(db, merchant.id, (tx) => findItem(tx, itemId));
}

/** Finds an item within a database transaction. */
export async function findItem(tx: Tx, itemId: string): Promise<MenuItem> {
  const [row] = await selectItems(tx, eq(menuItems.id, itemId));
  if (!row) throw notOnMenu('item');
  return toItem(row);
}

/** Finds the items with these PLUs, including archived ones. */
export async function findItemsByPlu(tx: Tx, plus: string[]): Promise<MenuItem[]> {
  return (await selectItems(tx, anyOf(menuItems.plu, plus))).map(toItem);
}

function selectItems({ merchantId, db }: Tx, condition: SQL | undefined) {
  const storeIds = db
    .select({ storeId: menuItemStores.storeId })
    .from(menuItemStores)
    .where(and(eq(menuItemStores.merchantId, menuItems.merchantId), eq(menuItemStores.itemId, menuItems.id)))
    .orderBy(menuItemStores.storeId);
  const optionGroupIds = db
    .select({ groupId: menuItemOptionGroups.groupId })
    .from(menuItemOptionGroups)
    .where(
      and(eq(menuItemOptionGroups.merchantId, menuItems.merchantId), eq(menuItemOptionGroups.itemId, menuItems.id)),
    )
    .orderBy(menuItemOptionGroups.position);
  return db
    .select({
      itemId: menuItems.id,
      categoryName: menuCategories.name,
      archivedAt: menuItems.archivedAt,
      // The editable fields. The revision depends on their order.
      categoryId: menuItems.categoryId,
      plu: menuItems.plu,
      name: menuItems.name,
      description: menuItems.description,
      translations: menuItems.translations,
      price: menuItems.price,
      allergens: menuItems.allergens,
      diets: menuItems.diets,
      photoId: menuItems.photoId,
      allStores: menuItems.allStores,
      storeIds: sql<string[]>`array${storeIds}`,
      optionGroupIds: sql<string[]>`array${optionGroupIds}`,
    })
    .from(menuItems)
    .innerJoin(
      menuCategories,
      and(eq(menuCategories.merchantId, menuItems.merchantId), eq(menuCategories.id, menuItems.categoryId)),
    )
    .where(and(eq(menuItems.merchantId, merchantId), condition));
}

type Row = Awaited<ReturnType<typeof selectItems>>[number];

const toItem = ({ itemId, categoryName, archivedAt, ...edited }: Row): MenuItem => ({
  itemId,
  revision: revisionOf(edited),
  ...edited,
  categoryName,
  archivedAt,
});

/** Yields all matching items as in the list, with the codes of the stores that sell them. */
export async function* exportItems(
  ctx: StaffContext,
  filter: Pick<SearchItemsInput, 'search' | 'status'>,
): AsyncGenerator<MenuItem & { storeCodes: string[] }> {
  const sellers = await withMerchant(ctx.db, ctx.merchant.id, selectStoreCodes);
  const codes = new Map(sellers.map(({ id, storeCode }) => [id, storeCode]));
  for await (const item of iteratePages((page) => searchItems(ctx, { ...filter, ...page }))) {
    yield { ...item, storeCodes: item.storeIds.flatMap((id) => codes.get(id) ?? []) };
  }
}

/** Selects the codes of all stores, unordered. */
export const selectStoreCodes = ({ merchantId, db }: Tx) =>
  db.select({ id: stores.id, storeCode: stores.storeCode }).from(stores).where(eq(stores.merchantId, merchantId));
