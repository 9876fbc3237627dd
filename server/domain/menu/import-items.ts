import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import type { StaffContext } from '../staff/context';
import { insertCategories } from './categories';
import { changeMenu, wholeMenu } from './change-menu';
import { type CsvIssue, CsvIssues } from './csv-file';
import { type ImportPlan, type PlannedItem, planImport } from './plan-import';
import type { ImportItemsInput } from './schemas';

export interface ImportOutcome {
  created: number;
  updated: number;
  unchanged: number;
  newCategories: string[];
  /** The first of what changes; prices in minor units, before it null for an item that is new. */
  changes: Pick<PlannedItem, 'plu' | 'name' | 'price' | 'priceBefore' | 'stores'>[];
  /** Where there is one, nothing was changed. */
  issues: CsvIssue[];
}

const mostChanges = 100;

/**
 * Brings items of a CSV file onto the menu, by PLU: those that are there are changed, archived ones come back, the others
 * are new. All rows or none; a dry run tells what would become of them.
 */
export async function importItems(ctx: StaffContext, { csv, dryRun }: ImportItemsInput): Promise<ImportOutcome> {
  const run = async (tx: Tx): Promise<ImportOutcome> => {
    const issues = new CsvIssues();
    const plan = await planImport(tx, { csv, currency: ctx.merchant.currency }, issues);
    if (!dryRun && issues.list.length === 0) await carryOut(tx, ctx, plan);
    const changed = plan.items.filter(({ isChanged }) => isChanged);
    const created = changed.filter(({ priceBefore }) => priceBefore === null).length;
    return {
      created,
      updated: changed.length - created,
      unchanged: plan.items.length - changed.length,
      newCategories: plan.newCategories,
      changes: changed
        .slice(0, mostChanges)
        .map(({ plu, name, price, priceBefore, stores }) => ({ plu, name, price, priceBefore, stores })),
      issues: issues.list,
    };
  };
  return dryRun ? withMerchant(ctx.db, ctx.merchant.id, run) : changeMenu(ctx, run);
}

async function carryOut(tx: Tx, ctx: StaffContext, { items, categoryIds, newCategories }: ImportPlan): Promise<void> {
  const changed = items.filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return;
  const added = await insertCategories(
    tx,
    newCategories.map((name) => ({ name, translations: {} })),
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

/** What is new in its category comes behind the others there. */
async function writeItems(tx: Tx, items: PlannedItem[], categoryIds: Map<string, string>): Promise<void> {
  const { merchantId, sql } = tx;
  const rows = items.map(({ category, ...item }) => ({ ...item, categoryId: categoryIds.get(category) }));
  await sql`
    insert into menu_items as i (merchant_id, id, category_id, plu, name, description, price, allergens, all_stores, position)
    select ${merchantId}, "itemId", "categoryId", plu, name, description, price, allergens, "allStores", n + coalesce((
      select max(position) from menu_items where merchant_id = ${merchantId} and category_id = "categoryId"), 0)
    from rows from (json_to_recordset(${JSON.stringify(rows)}::text::json) as (
      "itemId" uuid, "categoryId" uuid, plu text, name text, description text, price bigint, allergens text[],
      "allStores" boolean)) with ordinality as r (
      "itemId", "categoryId", plu, name, description, price, allergens, "allStores", n)
    on conflict (merchant_id, plu) do update set category_id = excluded.category_id, name = excluded.name,
      description = excluded.description, price = excluded.price, allergens = excluded.allergens,
      all_stores = excluded.all_stores, archived_at = null,
      position = case when i.category_id = excluded.category_id and i.archived_at is null then i.position
        else excluded.position end`;
  const links = items.flatMap(({ itemId, storeIds }) => storeIds.map((storeId) => ({ itemId, storeId })));
  await sql`
    delete from menu_item_stores
    where merchant_id = ${merchantId} and item_id = any(${items.map(({ itemId }) => itemId)})`;
  await sql`
    insert into menu_item_stores (merchant_id, item_id, store_id)
    select ${merchantId}, "itemId", "storeId"
    from json_to_recordset(${JSON.stringify(links)}::text::json) as r ("itemId" uuid, "storeId" uuid)`;
}
