/** Names of PLUs on the menu, for queries. */
import { and, eq, isNotNull, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queries } from '@/db/query/queries';
import { menuItems, menuOptions } from '@/db/schema';

/** Selects the menu's item with that PLU. */
export const isListed = (ofMerchant: PgColumn | Placeholder | string, itsPlu: PgColumn | SQL) =>
  and(eq(menuItems.merchantId, ofMerchant), eq(menuItems.plu, itsPlu), isNull(menuItems.archivedAt));

/** Selects the names of options with their own PLU, for a join. */
export const optionNames = (db: Queries, ofMerchant: string | Placeholder) =>
  db
    .select({ plu: menuOptions.plu, name: sql<string>`min(${menuOptions.name})`.as('option_name') })
    .from(menuOptions)
    .where(and(eq(menuOptions.merchantId, ofMerchant), isNotNull(menuOptions.plu)))
    .groupBy(menuOptions.plu)
    .as('option_names');

/** The menu's name: the item's, else the option's. */
export const nameOn = (options: ReturnType<typeof optionNames>) =>
  sql<string | null>`coalesce(${menuItems.name}, ${options.name})`;
