/** Dishes that a store's diners order most. */

import { and, desc, eq, gt, gte, ne, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { orderLines, orders } from '@/db/schema';

interface Store {
  merchantId: string;
  storeId: string;
}

const dayMs = 24 * 60 * 60_000;
/** Popularity is counted over the store's orders of 30 days, or over the newest ones if there are very many. */
const countedDays = 30;
const maxCounted = 2_000;
/** With fewer orders, a dish does not count as popular. */
const minTimesOrdered = 10;
const maxPopular = 5;

const countDishes = prepare((db, given: Given<Store & { since: Date }>) => {
  const newest = db
    .select({ id: orders.id, status: orders.status, placedAt: orders.placedAt })
    .from(orders)
    .where(and(eq(orders.merchantId, given.merchantId), eq(orders.storeId, given.storeId), gt(orders.number, 0)))
    .orderBy(desc(orders.number))
    .limit(maxCounted)
    .as('newest');
  const timesOrdered = sql<number>`count(*)::int`;
  return db
    .select({ plu: orderLines.plu, timesOrdered })
    .from(newest)
    .innerJoin(orderLines, and(eq(orderLines.merchantId, given.merchantId), eq(orderLines.orderId, newest.id)))
    .where(and(gt(newest.placedAt, given.since), ne(newest.status, 'cancelled').inlineParams()))
    .groupBy(orderLines.plu)
    .having(gte(timesOrdered, minTimesOrdered))
    .orderBy(desc(timesOrdered), orderLines.plu)
    .limit(maxPopular);
});

/** How long a count is used: dishes do not become popular within minutes, and it reads thousands of lines. */
const recountMs = 15 * 60_000;
const maxKept = 1_000;
/** By store, in this process. */
const counts = new Map<string, { plus: string[]; countedAt: number }>();

/** Returns the PLUs of a store's popular dishes, most ordered first. Empty if too little is ordered. */
export async function popularAt({ merchantId, db }: Tx, storeId: string, now: Date): Promise<string[]> {
  const known = counts.get(storeId);
  if (known && performance.now() - known.countedAt < recountMs) return known.plus;
  // While one request counts, others use the previous count.
  if (known) known.countedAt = performance.now();
  const since = new Date(now.getTime() - countedDays * dayMs);
  const plus = (await countDishes(db, { merchantId, storeId, since })).map(({ plu }) => plu);
  counts.delete(storeId);
  const [oldest] = counts.keys();
  if (counts.size >= maxKept && oldest) counts.delete(oldest);
  counts.set(storeId, { plus, countedAt: performance.now() });
  return plus;
}
