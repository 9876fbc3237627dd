/** What earns no points: PLUs that the merchant names, and the items of categories. */
import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { menuItems } from '@/db/schema';
import type { Merchant } from '../kernel/context';

interface Earning {
  merchant: Merchant;
  lines: { plu: string }[];
}

const inCategories = prepare((db, given: Given<{ merchantId: string; plus: string[]; categoryIds: string[] }>) =>
  db
    .select({ plu: menuItems.plu })
    .from(menuItems)
    .where(
      and(
        eq(menuItems.merchantId, given.merchantId),
        anyOf(menuItems.plu, given.plus),
        anyOf(menuItems.categoryId, given.categoryIds),
      ),
    ),
);

/** Returns those PLUs of one merchant's sales that earn nothing. Asks the menu only if a category is excluded. */
export async function loadNoPointsPlus({ merchantId, db }: Tx, sales: Earning[]): Promise<Set<string>> {
  const [first] = sales;
  if (!first) return new Set();
  const { noPointsPlus, noPointsCategoryIds: categoryIds } = first.merchant;
  if (categoryIds.length === 0) return new Set(noPointsPlus);
  const plus = [...new Set(sales.flatMap(({ lines }) => lines.map(({ plu }) => plu)))];
  const found = await inCategories(db, { merchantId, plus, categoryIds });
  return new Set([...noPointsPlus, ...found.map(({ plu }) => plu)]);
}
