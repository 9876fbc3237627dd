import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { invalid } from '../core/errors';
import { newId } from '../core/ids';
import { checkRevision, revisionOf } from '../core/revision';
import type { StaffContext } from '../staff/context';
import { changeMenu, notOnMenu, orTaken, wholeMenu } from './change-menu';
import { type CategoryInput, menuLimits } from './schemas';

export interface Category {
  categoryId: string;
  revision: string;
  name: string;
  translations: CategoryInput['translations'];
  itemCount: number;
}

/** The menu's categories in their order, with how many items each has. */
export function listCategories({ db, merchant }: StaffContext): Promise<Category[]> {
  return withMerchant(db, merchant.id, selectCategories);
}

/** The same, in a running database transaction. */
export async function selectCategories({ merchantId, sql }: Tx): Promise<Category[]> {
  const rows = await sql<Omit<Category, 'revision'>[]>`
    select c.id as "categoryId", c.name, c.translations, (
      select count(*)::int from menu_items i
      where i.merchant_id = c.merchant_id and i.category_id = c.id and i.archived_at is null) as "itemCount"
    from menu_categories c
    where c.merchant_id = ${merchantId} and c.archived_at is null order by c.position, c.id`;
  return rows.map((row) => ({ ...row, revision: categoryRevision(row) }));
}

/** The revision of what is edited of a category. */
const categoryRevision = ({ name, translations }: Pick<Category, 'name' | 'translations'>) =>
  revisionOf({ name, translations });

/** Adds a category behind the others. Errors: `invalid_request` for a name that is taken, or one too many. */
export function createCategory(ctx: StaffContext, category: CategoryInput): Promise<{ categoryId: string }> {
  return changeMenu(ctx, async (tx) => {
    const [categoryId] = await insertCategories(tx, [category]);
    await auditStaff(
      tx,
      ctx,
      'menuCategory.create',
      { kind: 'menuCategory', id: categoryId as string },
      { after: category },
    );
    return { categoryId: categoryId as string };
  });
}

/** Writes categories behind the others, in a running change of the menu; answers their ids. Errors: as above. */
export async function insertCategories(tx: Tx, categories: CategoryInput[]): Promise<string[]> {
  const { merchantId, sql } = tx;
  const first = await categoryPosition(tx, categories.length);
  const rows = categories.map(({ name, translations }, index) => ({
    merchant_id: merchantId,
    id: newId(),
    name,
    position: first + index,
    translations: JSON.stringify(translations),
  }));
  const insert = sql`
    insert into menu_categories (merchant_id, id, name, position, translations)
    select merchant_id, id, name, position, translations::jsonb
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      merchant_id uuid, id uuid, name text, position integer, translations text)`;
  await orTaken(insert, 'menu_categories_name', 'name');
  return rows.map(({ id }) => id);
}

/** Errors: `menu_entry_not_found`, `edited_meanwhile`, `invalid_request` for a name that is taken. */
export function updateCategory(
  ctx: StaffContext,
  { categoryId, revision: opened, ...category }: CategoryInput & { categoryId: string; revision: string },
): Promise<{ revision: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const before = await findCategory(tx, categoryId);
    checkRevision(opened, categoryRevision(before));
    const update = sql`
      update menu_categories set name = ${category.name}, translations = ${JSON.stringify(category.translations)}::text::jsonb
      where merchant_id = ${merchantId} and id = ${categoryId}`;
    await orTaken(update, 'menu_categories_name', 'name');
    await auditStaff(
      tx,
      ctx,
      'menuCategory.update',
      { kind: 'menuCategory', id: categoryId },
      { before, after: category },
    );
    return { revision: categoryRevision(await findCategory(tx, categoryId)) };
  });
}

/** Takes a category off the menu with all its items; each can be restored. Errors: `menu_entry_not_found`. */
export function archiveCategory(
  ctx: StaffContext,
  { categoryId }: { categoryId: string },
): Promise<{ archivedItems: number }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const before = await findCategory(tx, categoryId);
    const now = ctx.clock.now();
    const items = await sql<{ plu: string }[]>`
      update menu_items set archived_at = ${now}
      where merchant_id = ${merchantId} and category_id = ${categoryId} and archived_at is null returning plu`;
    await sql`
      update menu_categories set archived_at = ${now} where merchant_id = ${merchantId} and id = ${categoryId}`;
    const plus = items.map(({ plu }) => plu);
    await auditStaff(
      tx,
      ctx,
      'menuCategory.archive',
      { kind: 'menuCategory', id: categoryId },
      { before: { ...before, plus } },
    );
    return { archivedItems: plus.length };
  });
}

/** Puts an archived category back behind the others; one that is on the menu stays. Errors: as of a new one. */
export async function restoreCategory(tx: Tx, categoryId: string): Promise<void> {
  const { merchantId, sql } = tx;
  const [category] = await sql`
    select from menu_categories where merchant_id = ${merchantId} and id = ${categoryId} and archived_at is not null`;
  if (!category) return;
  const position = await categoryPosition(tx, 1);
  const update = sql`
    update menu_categories set archived_at = null, position = ${position}
    where merchant_id = ${merchantId} and id = ${categoryId}`;
  await orTaken(update, 'menu_categories_name', 'categoryId');
}

/** The first position behind the categories, where `added` more have room. Errors: `invalid_request`. */
async function categoryPosition({ merchantId, sql }: Tx, added: number): Promise<number> {
  const [{ count, last }] = await sql<[{ count: number; last: number }]>`
    select count(*) filter (where archived_at is null)::int as count, coalesce(max(position), 0) as last
    from menu_categories where merchant_id = ${merchantId}`;
  if (count + added > menuLimits.categories) {
    throw invalid('name', `can not be added: a menu has at most ${menuLimits.categories} categories`);
  }
  return last + 1;
}

/** Puts categories into this order; those that it does not name follow as they were. Errors: `menu_entry_not_found`. */
export function orderCategories(ctx: StaffContext, { categoryIds }: { categoryIds: string[] }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const rows = await sql<{ id: string }[]>`
      select id from menu_categories where merchant_id = ${merchantId} and archived_at is null order by position, id`;
    const present = rows.map(({ id }) => id);
    const order = inOrder(present, categoryIds, 'category');
    await sql`
      update menu_categories c set position = o.position
      from unnest(${order}::uuid[]) with ordinality as o (id, position)
      where c.merchant_id = ${merchantId} and c.id = o.id and c.position <> o.position`;
    await auditStaff(tx, ctx, 'menuCategory.order', wholeMenu(tx), {
      before: { categoryIds: present },
      after: { categoryIds: order },
    });
  });
}

/** All that are there, those that were named first. Errors: `menu_entry_not_found` for one that is not there. */
export function inOrder(present: string[], named: string[], what: string): string[] {
  if (named.some((id) => !present.includes(id))) throw notOnMenu(what);
  return [...named, ...present.filter((id) => !named.includes(id))];
}

/** Errors: `menu_entry_not_found` for a category that is not on the menu. */
export async function findCategory({ merchantId, sql }: Tx, categoryId: string) {
  const [category] = await sql<Pick<Category, 'name' | 'translations'>[]>`
    select name, translations from menu_categories
    where merchant_id = ${merchantId} and id = ${categoryId} and archived_at is null`;
  if (!category) throw notOnMenu('category');
  return category;
}
