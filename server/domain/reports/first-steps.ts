/** The steps of a merchant's first days, from the first store to the first sale. */
import { subDays } from 'date-fns';
import { and, eq, isNull, lt, type SQLWrapper, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import {
  apiKeys,
  apiRequests,
  diningTables,
  menuItems,
  sales,
  storedValuePackages,
  stores,
  transactions,
} from '@/db/schema';
import { firstIdAt } from '../kernel/ids';

export interface FirstSteps {
  store: boolean;
  menu: boolean;
  package: boolean;
  /** There are tables, which have cards to print. */
  tables: boolean;
  key: boolean;
  /** A till has called the REST API. */
  call: boolean;
  sale: boolean;
}

/** Who has used a till for a week does not need what is still missing. */
const lastDays = 7;

/** Returns which steps are done; null once all are, or a week after a till's first transaction. */
export async function readFirstSteps({ merchantId, db }: Tx, now: Date): Promise<FirstSteps | null> {
  const { uid } = transactions;
  const isOld = lt(uid, firstIdAt(subDays(now, lastDays)));
  const old = await db
    .select({ uid })
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), isOld))
    .limit(1);
  if (old.length > 0) return null;
  // With a limit, and not `exists`, so that its plan shows that it reads one row.
  const isAny = (query: SQLWrapper) => sql<boolean>`${query} is not null`;
  const { id: itemId } = menuItems;
  const { id: packageId } = storedValuePackages;
  const steps = only(
    await db
      .select({
        store: isAny(db.select({ id: stores.id }).from(stores).where(eq(stores.merchantId, merchantId)).limit(1)),
        menu: isAny(
          db
            .select({ itemId })
            .from(menuItems)
            .where(and(eq(menuItems.merchantId, merchantId), isNull(menuItems.archivedAt)))
            .limit(1),
        ),
        package: isAny(
          db
            .select({ packageId })
            .from(storedValuePackages)
            .where(and(eq(storedValuePackages.merchantId, merchantId), isNull(storedValuePackages.archivedAt)))
            .limit(1),
        ),
        tables: isAny(
          db
            .select({ id: diningTables.id })
            .from(diningTables)
            .where(and(eq(diningTables.merchantId, merchantId), isNull(diningTables.removedAt)))
            .limit(1),
        ),
        key: isAny(
          db
            .select({ id: apiKeys.id })
            .from(apiKeys)
            .where(and(eq(apiKeys.merchantId, merchantId), isNull(apiKeys.revokedAt)))
            .limit(1),
        ),
        call: isAny(
          db.select({ id: apiRequests.id }).from(apiRequests).where(eq(apiRequests.merchantId, merchantId)).limit(1),
        ),
        sale: isAny(
          db.select({ id: sales.transactionUid }).from(sales).where(eq(sales.merchantId, merchantId)).limit(1),
        ),
      })
      .from(sql`(values (1)) as one`),
  );
  return Object.values(steps).every(Boolean) ? null : steps;
}
