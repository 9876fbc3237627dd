/** What the back office reads of the menu's items. */
import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { everyPage } from '../core/every-page';
import { type ListOrder, type Page, seek, seekSql, toPage } from '../core/page';
import { revisionOf } from '../core/revision';
import type { StaffContext } from '../staff/context';
import { notOnMenu } from './change-menu';
import type { ItemInput, SearchItemsInput } from './schemas';

export interface MenuItem extends ItemInput {
  itemId: string;
  revision: string;
  categoryName: string;
  archivedAt: Date | null;
}

/** A category's items in their order. */
export async function listCategoryItems(
  { db, merchant }: StaffContext,
  { categoryId }: { categoryId: string },
): Promise<MenuItem[]> {
  const rows = await withMerchant(db, merchant.id, (tx) =>
    selectItems(tx, tx.sql`i.category_id = ${categoryId} and i.archived_at is null`, tx.sql`order by i.position, i.id`),
  );
  return rows.map(toItem);
}

const byName: ListOrder = { columns: ['i.name', 'i.id'], kinds: ['text', 'uuid'], descending: false };

/** Items whose name holds the text, or whose PLU starts with it, by name. Errors: `invalid_request` for a foreign cursor. */
export async function searchItems(
  { db, merchant }: StaffContext,
  { search, status, ...page }: SearchItemsInput,
): Promise<Page<MenuItem>> {
  const at = seek(page, byName);
  const literal = search.replaceAll(/[\\%_]/g, '\\$&');
  const rows = await withMerchant(db, merchant.id, (tx) => {
    const { sql } = tx;
    const { where, orderBy, limit } = seekSql(tx, at, byName);
    const condition = sql`${where} and (i.archived_at is not null) = ${status === 'archived'}
      ${search === '' ? sql`` : sql`and (i.name ilike ${`%${literal}%`} or i.plu ilike ${`${literal}%`})`}`;
    return selectItems(tx, condition, sql`order by ${orderBy} ${limit}`);
  });
  return toPage(rows, at, (row) => [row.name, row.id], toItem);
}

/** Errors: `menu_entry_not_found`. */
export async function getItem({ db, merchant }: StaffContext, { itemId }: { itemId: string }): Promise<MenuItem> {
  return withMerchant(db, merchant.id, (tx) => findItem(tx, itemId));
}

/** The same, in a running database transaction. */
export async function findItem(tx: Tx, itemId: string): Promise<MenuItem> {
  const [row] = await selectItems(tx, tx.sql`i.id = ${itemId}`, tx.sql``);
  if (!row) throw notOnMenu('item');
  return toItem(row);
}

/** The items with these PLUs, archived ones too. */
export async function findItemsByPlu(tx: Tx, plus: string[]): Promise<MenuItem[]> {
  return (await selectItems(tx, tx.sql`i.plu = any(${plus})`, tx.sql``)).map(toItem);
}

function selectItems({ merchantId, sql }: Tx, condition: Fragment, order: Fragment) {
  return sql`
    select i.*, c.name as category_name, array(
        select store_id from menu_item_stores s where s.merchant_id = i.merchant_id and s.item_id = i.id
        order by store_id) as store_ids, array(
        select group_id from menu_item_option_groups g where g.merchant_id = i.merchant_id and g.item_id = i.id
        order by position) as option_group_ids
    from menu_items i join menu_categories c on c.merchant_id = i.merchant_id and c.id = i.category_id
    where i.merchant_id = ${merchantId} and ${condition} ${order}`;
}

function toItem(row: Row): MenuItem {
  const input = toInput(row);
  return {
    itemId: row.id,
    revision: revisionOf(input),
    ...input,
    categoryName: row.category_name,
    archivedAt: row.archived_at,
  };
}

/** What people edit of it. */
const toInput = (row: Row): ItemInput => ({
  categoryId: row.category_id,
  plu: row.plu,
  name: row.name,
  description: row.description,
  translations: row.translations,
  price: row.price,
  allergens: row.allergens,
  photoId: row.photo_id,
  allStores: row.all_stores,
  storeIds: row.store_ids,
  optionGroupIds: row.option_group_ids,
});

/** All items that match, as the list shows them, page by page, with the codes of the stores that sell them. */
export async function* exportItems(
  ctx: StaffContext,
  filter: Pick<SearchItemsInput, 'search' | 'status'>,
): AsyncGenerator<MenuItem & { storeCodes: string[] }> {
  const stores = await withMerchant(
    ctx.db,
    ctx.merchant.id,
    ({ merchantId, sql }) => sql`select id, store_code from stores where merchant_id = ${merchantId}`,
  );
  const codes = new Map(stores.map(({ id, store_code }) => [id as string, store_code as string]));
  for await (const item of everyPage((page) => searchItems(ctx, { ...filter, ...page }))) {
    yield { ...item, storeCodes: item.storeIds.flatMap((id) => codes.get(id) ?? []) };
  }
}
