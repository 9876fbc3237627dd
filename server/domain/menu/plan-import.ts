import type { Tx } from '@/db/driver';
import type { Allergen, Diet, Merchant } from '../kernel/context';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { type Category, selectCategories } from './categories';
import { type CsvIssues, type CsvItem, everyStore, type MenuColumns, type MenuTable, readItems } from './csv-file';
import { findItemsByPlu, type MenuItem, selectStoreCodes } from './items';
import { menuLimits } from './schemas';

/** What the import of a row does. */
export interface PlannedItem {
  itemId: string;
  plu: string;
  name: string;
  price: number;
  /** Null for a new item. */
  priceBefore: number | null;
  isChanged: boolean;
  category: string;
  description: string;
  allergens: Allergen[];
  diets: Diet[];
  allStores: boolean;
  storeIds: string[];
  /** Codes of the stores before and after, empty for all stores; null if unchanged. */
  stores: { before: string[]; after: string[] } | null;
}

export interface ImportPlan {
  items: PlannedItem[];
  /** The menu's categories, by name. */
  categoryIds: Map<string, string>;
  newCategories: string[];
  headings: string[];
  columns: MenuColumns;
}

interface MenuSource {
  table: MenuTable;
  /** The merchant's choice; absent to go by the headings. */
  columns?: MenuColumns | undefined;
}

/** Plans a file's changes to the current menu. Adds problems to `issues`. */
export async function planImport(
  tx: Tx,
  { table, columns: chosen, country, currency, locale }: MenuSource & Pick<Merchant, 'country' | 'currency' | 'locale'>,
  issues: CsvIssues,
): Promise<ImportPlan> {
  const stores = await selectStoreCodes(tx);
  const known = { country, currency, storeCodes: stores.map(({ storeCode }) => storeCode) };
  const { headings, columns, items: rows } = readItems(table, known, issues, chosen);
  const plus = rows.map(({ plu }) => plu);
  const present = new Map((await findItemsByPlu(tx, plus)).map((item) => [item.plu, item]));
  const categories = await selectCategories(tx, { locale });
  const storeIds = new Map(stores.map(({ id, storeCode }) => [storeCode, id]));
  const items = rows.map((row) => planItem(row, present.get(row.plu), storeIds));
  const names = new Set(categories.map(({ name }) => name));
  const newCategories = [...new Set(rows.map(({ category }) => category))].filter((name) => !names.has(name));
  checkRoom(rows, present, categories, newCategories, issues);
  const categoryIds = new Map(categories.map(({ name, categoryId }) => [name, categoryId]));
  return { items, categoryIds, newCategories, headings, columns };
}

function planItem(
  { row, stores, ...item }: CsvItem,
  before: MenuItem | undefined,
  storeIds: Map<string, string>,
): PlannedItem {
  // An empty cell changes nothing: an item keeps its stores, and a new item is sold at all stores.
  const named = stores?.length ? stores : undefined;
  const codes = named?.join() === everyStore ? [] : named;
  const given = codes?.flatMap((code) => storeIds.get(code) ?? []);
  const planned = {
    ...item,
    description: item.description ?? before?.description ?? '',
    allergens: item.allergens ?? before?.allergens ?? [],
    diets: item.diets ?? before?.diets ?? [],
    allStores: codes ? codes.length === 0 : (before?.allStores ?? true),
    storeIds: (given ?? before?.storeIds ?? []).toSorted(),
  };
  const codesOf = (ids: string[]) => [...storeIds].flatMap(([code, id]) => (ids.includes(id) ? [code] : []));
  return {
    itemId: before?.itemId ?? newId(),
    ...planned,
    priceBefore: before?.price ?? null,
    stores:
      before && hasOtherStores(planned, before)
        ? { before: codesOf(before.storeIds), after: codesOf(planned.storeIds) }
        : null,
    isChanged: before === undefined || before.archivedAt !== null || differs(planned, before),
  };
}

type Compared = Omit<PlannedItem, 'itemId' | 'priceBefore' | 'stores' | 'isChanged'>;

const hasOtherStores = (planned: Compared, before: MenuItem): boolean =>
  planned.allStores !== before.allStores || planned.storeIds.join() !== before.storeIds.join();

const differs = (planned: Compared, before: MenuItem): boolean =>
  hasOtherStores(planned, before) ||
  planned.category !== before.categoryName ||
  planned.name !== before.name ||
  planned.price !== before.price ||
  planned.description !== before.description ||
  planned.allergens.toSorted().join() !== before.allergens.toSorted().join() ||
  planned.diets.toSorted().join() !== before.diets.toSorted().join();

/** Checks the menu's limits after the import. */
function checkRoom(
  rows: CsvItem[],
  present: Map<string, MenuItem>,
  categories: Category[],
  newCategories: string[],
  issues: CsvIssues,
): void {
  if (categories.length + newCategories.length > menuLimits.categories) {
    issues.add(1, 'category', say('makesTooManyCategories', { count: menuLimits.categories }));
  }
  const counts = new Map(categories.map(({ name, itemCount }) => [name, itemCount]));
  for (const { plu, category } of rows) {
    const before = present.get(plu);
    if (before && before.archivedAt === null)
      counts.set(before.categoryName, (counts.get(before.categoryName) ?? 0) - 1);
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  for (const [name, count] of counts) {
    if (count > menuLimits.itemsOfCategory) {
      issues.add(1, 'category', say('categoryOverfull', { count, name, most: menuLimits.itemsOfCategory }));
    }
  }
}
