import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { menuCategories, menuItems } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { Merchant, StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { lacksTranslationSql } from '../kernel/missing-translations-sql';
import { checkRevision, revisionOf } from '../kernel/revision';
import { say } from '../kernel/say';
import { changeMenu, notOnMenu, positionsFrom, rejectTaken, wholeMenu } from './change-menu';
import { type CategoryInput, menuLimits } from './schemas';

export interface Category {
  categoryId: string;
  revision: string;
  name: string;
  translations: CategoryInput['translations'];
  /** Where its items are made; empty for none. */
  station: string;
  itemCount: number;
  /** Items without a name in one of the diners' languages. */
  untranslatedCount: number;
}

/** Lists the menu's categories in order, with their item counts. */
export function listCategories({ db, merchant }: StaffContext): Promise<Category[]> {
  return withMerchant(db, merchant.id, (tx) => selectCategories(tx, merchant));
}

/** Lists categories within a database transaction. */
export async function selectCategories(
  { merchantId, db }: Tx,
  merchant: Pick<Merchant, 'locale'>,
): Promise<Category[]> {
  const { id, name, translations, station, position, archivedAt } = menuCategories;
  const listed = db
    .select({
      counts: sql<
        [number, number]
      >`array[count(*), count(*) filter (where ${lacksTranslationSql(merchant, menuItems.translations)})]`,
    })
    .from(menuItems)
    .where(
      and(
        eq(menuItems.merchantId, menuCategories.merchantId),
        eq(menuItems.categoryId, id),
        isNull(menuItems.archivedAt),
      ),
    );
  const rows = await db
    .select({ categoryId: id, name, translations, station, counts: sql<[number, number]>`${listed}` })
    .from(menuCategories)
    .where(and(eq(menuCategories.merchantId, merchantId), isNull(archivedAt)))
    .orderBy(position, id);
  return rows.map(({ counts: [itemCount, untranslatedCount], ...row }) => ({
    ...row,
    itemCount,
    untranslatedCount,
    revision: categoryRevision(row),
  }));
}

/** The revision of a category's editable fields. */
const categoryRevision = ({ name, translations, station }: Pick<Category, 'name' | 'translations' | 'station'>) =>
  revisionOf({ name, translations, station });

/** Adds a category at the end. Errors: `invalid_request` for a name that is taken, or too many categories. */
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

/** Inserts categories at the end, within a change of the menu, and returns their ids. Errors: as `createCategory`. */
export async function insertCategories(tx: Tx, categories: CategoryInput[]): Promise<string[]> {
  const first = await categoryPosition(tx, categories.length);
  const rows = categories.map((category, index) => ({ ...category, id: newId(), position: first + index }));
  await rejectTaken(insert(tx, rows), 'menu_categories_name', 'name');
  return rows.map(({ id }) => id);
}

const insert = insertRows(menuCategories, ['id', 'name', 'position', 'translations', 'station']);

/** Selects one category of the merchant. */
const isOne = ({ merchantId }: Tx, categoryId: string) =>
  and(eq(menuCategories.merchantId, merchantId), eq(menuCategories.id, categoryId));

/** Errors: `menu_entry_not_found`, `edited_meanwhile`, `invalid_request` for a name that is taken. */
export function updateCategory(
  ctx: StaffContext,
  { categoryId, revision: opened, ...category }: CategoryInput & { categoryId: string; revision: string },
): Promise<{ revision: string }> {
  return changeMenu(ctx, async (tx) => {
    const before = await findCategory(tx, categoryId);
    checkRevision(opened, categoryRevision(before));
    const update = tx.db.update(menuCategories).set(category).where(isOne(tx, categoryId));
    await rejectTaken(update, 'menu_categories_name', 'name');
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

/** Archives a category with all its items; each can be restored. Errors: `menu_entry_not_found`. */
export function archiveCategory(
  ctx: StaffContext,
  { categoryId }: { categoryId: string },
): Promise<{ archivedItems: number }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const before = await findCategory(tx, categoryId);
    const archivedAt = ctx.clock.now();
    const items = await db
      .update(menuItems)
      .set({ archivedAt })
      .where(
        and(eq(menuItems.merchantId, merchantId), eq(menuItems.categoryId, categoryId), isNull(menuItems.archivedAt)),
      )
      .returning({ plu: menuItems.plu });
    await db.update(menuCategories).set({ archivedAt }).where(isOne(tx, categoryId));
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

/** Restores an archived category at the end. Does nothing if it is not archived. Errors: as `createCategory`. */
export async function restoreCategory(tx: Tx, categoryId: string): Promise<void> {
  const { db } = tx;
  const [category] = await db
    .select({ id: menuCategories.id })
    .from(menuCategories)
    .where(and(isOne(tx, categoryId), isNotNull(menuCategories.archivedAt)));
  if (!category) return;
  const position = await categoryPosition(tx, 1);
  const update = db.update(menuCategories).set({ archivedAt: null, position }).where(isOne(tx, categoryId));
  await rejectTaken(update, 'menu_categories_name', 'categoryId');
}

/** Returns the position after the last category, if there is room for `added` more. Errors: `invalid_request`. */
async function categoryPosition({ merchantId, db }: Tx, added: number): Promise<number> {
  const { listed, last } = only(
    await db
      .select({
        listed: sql<number>`count(*) filter (where ${isNull(menuCategories.archivedAt)})`,
        last: sql<number>`coalesce(max(${menuCategories.position}), 0)`,
      })
      .from(menuCategories)
      .where(eq(menuCategories.merchantId, merchantId)),
  );
  if (listed + added > menuLimits.categories) {
    throw invalid('name', say('tooManyCategories', { count: menuLimits.categories }));
  }
  return last + 1;
}

/** Puts categories into this order. Categories that are not named follow. Errors: `menu_entry_not_found`. */
export function orderCategories(ctx: StaffContext, { categoryIds }: { categoryIds: string[] }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const isOwn = eq(menuCategories.merchantId, merchantId);
    const rows = await db
      .select({ id: menuCategories.id })
      .from(menuCategories)
      .where(and(isOwn, isNull(menuCategories.archivedAt)))
      .orderBy(menuCategories.position, menuCategories.id);
    const present = rows.map(({ id }) => id);
    const order = inOrder(present, categoryIds, 'category');
    const { $rows, id, position } = positionsFrom(order, 1);
    await db
      .update(menuCategories)
      .set({ position })
      .from($rows)
      .where(and(isOwn, eq(menuCategories.id, id), ne(menuCategories.position, position)));
    await auditStaff(tx, ctx, 'menuCategory.order', wholeMenu(tx), {
      before: { categoryIds: present },
      after: { categoryIds: order },
    });
  });
}

/** Returns all present ids, the named ones first. Errors: `menu_entry_not_found` for a named id that is not present. */
export function inOrder(present: string[], named: string[], what: string): string[] {
  if (named.some((id) => !present.includes(id))) throw notOnMenu(what);
  return [...named, ...present.filter((id) => !named.includes(id))];
}

/** Errors: `menu_entry_not_found` for a category that is not on the menu. */
export async function findCategory(tx: Tx, categoryId: string) {
  const { name, translations, station, archivedAt } = menuCategories;
  const [category] = await tx.db
    .select({ name, translations, station })
    .from(menuCategories)
    .where(and(isOne(tx, categoryId), isNull(archivedAt)));
  if (!category) throw notOnMenu('category');
  return category;
}
