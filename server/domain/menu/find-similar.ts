import { eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { menuItems } from '@/db/schema';
import type { ImportPlan } from './plan-import';

/** A new item or category that may be an existing one, written otherwise. */
export interface Similar {
  kind: 'item' | 'category';
  /** The PLU or the name in the file, and the other one. */
  given: string;
  other: string;
  /** The names of the two. A category's name is also its `given` or `other`. */
  names: [string, string];
}

const maxSimilar = 100;

/** What spreadsheets and hands change: leading zeros, a trailing `.0`, case, width and spaces. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace(/\.0+$/, '')
    .replace(/(?<![0-9])0+(?=[0-9])/g, '');

/** Finds new items and categories of a file that differ from others only in how they are written. */
export async function findSimilar(tx: Tx, { items, categoryIds, newCategories }: ImportPlan): Promise<Similar[]> {
  const created = items.filter(({ priceBefore }) => priceBefore === null);
  if (created.length === 0 && newCategories.length === 0) return [];
  const present = await tx.db
    .select({ plu: menuItems.plu, name: menuItems.name })
    .from(menuItems)
    .where(eq(menuItems.merchantId, tx.merchantId));
  const byPlu = new Map(present.map((item) => [folded(item.plu), item]));
  const similarItems = created.flatMap((item): Similar[] => {
    const other = byPlu.get(folded(item.plu));
    byPlu.set(folded(item.plu), item);
    return other ? [{ kind: 'item', given: item.plu, other: other.plu, names: [item.name, other.name] }] : [];
  });
  const byName = new Map([...categoryIds.keys()].map((name) => [folded(name), name]));
  const similarCategories = newCategories.flatMap((name): Similar[] => {
    const other = byName.get(folded(name));
    byName.set(folded(name), name);
    return other ? [{ kind: 'category', given: name, other, names: [name, other] }] : [];
  });
  return [...similarCategories, ...similarItems].slice(0, maxSimilar);
}
