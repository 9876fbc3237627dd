import { and, eq, isNull, max, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf, insertFrom, nameOf, recordset } from '@/db/query/expressions';
import { menuItemStores, menuItems } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { isUnsure, type TableSource } from '../table-files';
import { insertCategories } from './categories';
import { changeMenu, setToInserted, wholeMenu } from './change-menu';
import { type CsvIssue, CsvIssues, type MenuColumns, readMenuTable } from './csv-file';
import { findSimilar, type Similar } from './find-similar';
import { type ImportPlan, type PlannedItem, planImport } from './plan-import';
import { linkStores } from './save-item';
import type { ImportItemsInput } from './schemas';

export interface ImportOutcome {
  created: number;
  updated: number;
  unchanged: number;
  newCategories: string[];
  /** The first changes only. Prices are in minor units; the old price is null for a new item. */
  changes: Pick<PlannedItem, 'plu' | 'name' | 'price' | 'priceBefore' | 'stores'>[];
  /** New items and categories that may be existing ones, written otherwise. The first ones only. */
  similar: Similar[];
  /** The file's headings, and the column of each field. */
  headings: string[];
  columns: MenuColumns;
  /** What kind of file it is; null if it could not be read. */
  source: TableSource | null;
  /** With any issue, nothing was changed. */
  issues: CsvIssue[];
}

const maxChanges = 100;

/**
 * Imports items of a file by PLU: changes existing items, restores archived ones, and creates the others. All rows
 * or none. A dry run only returns what would change. Errors: `invalid_request` for a file whose encoding is not certain, unless
 * it is given.
 */
export async function importItems(
  ctx: StaffContext,
  { file, encoding, sheet, columns, dryRun }: ImportItemsInput,
): Promise<ImportOutcome> {
  const fileIssues = new CsvIssues();
  const { country } = ctx.merchant;
  const table = await readMenuTable(file, { choice: { encoding, sheet }, country }, fileIssues);
  if (!dryRun && isUnsure(table.source)) throw invalid('encoding', say('encodingUnsure'));
  const run = async (tx: Tx): Promise<ImportOutcome> => {
    const issues = fileIssues.copy();
    const plan = await planImport(tx, { table, columns, ...ctx.merchant }, issues);
    const similar = dryRun ? await findSimilar(tx, plan) : [];
    if (!dryRun && issues.list.length === 0) await execute(tx, ctx, plan);
    const changed = plan.items.filter(({ isChanged }) => isChanged);
    const created = changed.filter(({ priceBefore }) => priceBefore === null).length;
    return {
      created,
      updated: changed.length - created,
      unchanged: plan.items.length - changed.length,
      newCategories: plan.newCategories,
      changes: changed
        .slice(0, maxChanges)
        .map(({ plu, name, price, priceBefore, stores }) => ({ plu, name, price, priceBefore, stores })),
      similar,
      headings: plan.headings,
      columns: plan.columns,
      source: table.source,
      issues: issues.list,
    };
  };
  return dryRun ? withMerchant(ctx.db, ctx.merchant.id, run) : changeMenu(ctx, run);
}

async function execute(tx: Tx, ctx: StaffContext, { items, categoryIds, newCategories }: ImportPlan): Promise<void> {
  const changed = items.filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return;
  const added = await insertCategories(
    tx,
    newCategories.map((name) => ({ name, translations: {}, station: '' })),
  );
  const ids = new Map([...categoryIds, ...newCategories.map((name, index) => [name, added[index] as string] as const)]);
  await writeItems(tx, changed, ids);
  const prices = (list: PlannedItem[], price: (item: PlannedItem) => number | null) =>
    list.map((item) => ({ plu: item.plu, price: price(item) }));
  await auditStaff(tx, ctx, 'menuItem.import', wholeMenu(tx), {
    before: prices(
      changed.filter(({ priceBefore }) => priceBefore !== null),
      ({ priceBefore }) => priceBefore,
    ),
    after: prices(changed, ({ price }) => price),
  });
}

/** New items of a category are added at its end. */
async function writeItems(tx: Tx, items: PlannedItem[], categoryIds: Map<string, string>): Promise<void> {
  const { merchantId, db } = tx;
  const { id, categoryId, plu, name, description, price, allergens, diets, allStores, archivedAt, position } =
    menuItems;
  const planned = recordset(
    'planned',
    { itemId: id, categoryId, plu, name, description, price, allergens, diets, allStores, n: sql<number>`integer` },
    items.map(({ category, ...item }, index) => ({
      ...item,
      categoryId: categoryIds.get(category) as string,
      n: index + 1,
    })),
  );
  const { $rows, itemId, n, ...fields } = planned;
  const last = db
    .select({ position: max(position) })
    .from(menuItems)
    .where(and(eq(menuItems.merchantId, merchantId), eq(categoryId, fields.categoryId)));
  const insertion = insertFrom(
    menuItems,
    { ...fields, merchantId, id: itemId, position: sql<number>`${n} + coalesce(${last}, 0)` },
    $rows,
  );
  const newCategory = sql`excluded.${nameOf(categoryId)}`;
  await db.run(sql`
    ${insertion} on conflict (${nameOf(menuItems.merchantId)}, ${nameOf(plu)})
    do update set ${setToInserted([categoryId, name, description, price, allergens, diets, allStores])},
      ${nameOf(archivedAt)} = null,
      ${nameOf(position)} = case when ${and(eq(categoryId, newCategory), isNull(archivedAt))} then ${position}
        else excluded.${nameOf(position)} end`);
  const itemIds = items.map((item) => item.itemId);
  await db
    .delete(menuItemStores)
    .where(and(eq(menuItemStores.merchantId, merchantId), anyOf(menuItemStores.itemId, itemIds)));
  await linkStores(
    tx,
    items.flatMap((item) => item.storeIds.map((storeId) => ({ itemId: item.itemId, storeId }))),
  );
}
