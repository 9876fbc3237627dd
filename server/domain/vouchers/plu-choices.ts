import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { menuItems } from '@/db/schema';
import type { StaffContext } from '../kernel/context';

export interface PluChoice {
  plu: string;
  name: string;
  /** Minor units. */
  price: number;
}

/**
 * Lists menu items whose PLU starts with `search` or whose name contains it (at most 20), or exactly those in `plus`.
 */
export function listPluChoices(
  { db, merchant }: StaffContext,
  { search, plus }: { search: string; plus?: string[] | undefined },
): Promise<PluChoice[]> {
  return withMerchant(db, merchant.id, async ({ merchantId, db }) => {
    const { plu, name, price, archivedAt } = menuItems;
    const select = (condition: SQL | undefined) =>
      db
        .select({ plu, name, price })
        .from(menuItems)
        .where(and(eq(menuItems.merchantId, merchantId), condition));
    if (plus) return select(anyOf(plu, plus));
    const isAlike = or(
      sql`starts_with(lower(${plu}), lower(${search}))`,
      sql`position(lower(${search}) in lower(${name})) > 0`,
    );
    return select(and(isNull(archivedAt), isAlike))
      .orderBy(plu)
      .limit(20);
  });
}
