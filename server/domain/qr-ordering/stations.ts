/** Stations: where the items of a category are made, as the merchant names them in the menu. */

import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { menuCategories, menuItems } from '@/db/schema';

/** The merchant's stations by name, and the station of each item that is ordered. */
export interface Stations {
  names: string[];
  /** By PLU. Items without a station are absent. */
  ofItem: Record<string, string>;
}

/** Reads the stations of the menu, and those of the items with these PLUs. */
export async function readStations({ merchantId, db }: Tx, plus: string[]): Promise<Stations> {
  const { station } = menuCategories;
  const hasStation = and(eq(menuCategories.merchantId, merchantId), ne(station, ''));
  const named = await db
    .selectDistinct({ station })
    .from(menuCategories)
    .where(and(hasStation, isNull(menuCategories.archivedAt)))
    .orderBy(station);
  if (named.length === 0) return { names: [], ofItem: {} };
  const items = await db
    .select({ plu: menuItems.plu, station })
    .from(menuItems)
    .innerJoin(menuCategories, and(eq(menuCategories.id, menuItems.categoryId), hasStation))
    .where(and(eq(menuItems.merchantId, merchantId), anyOf(menuItems.plu, [...new Set(plus)])));
  return {
    names: named.map((one) => one.station),
    ofItem: Object.fromEntries(items.map((item) => [item.plu, item.station])),
  };
}
