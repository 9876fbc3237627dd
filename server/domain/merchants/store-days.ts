import { and, eq, isNotNull } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { merchants, stores } from '@/db/schema';
import type { StoreDays } from '../kernel/calendar';

/** Reads how the merchant and those of its stores that differ count days. */
export async function readStoreDays({ merchantId, db }: Tx): Promise<StoreDays> {
  const { id, timeZone, dayStartsAt } = merchants;
  const [own, others] = await Promise.all([
    db.select({ timeZone, dayStartsAt }).from(merchants).where(eq(id, merchantId)),
    db
      .select({ storeId: stores.id, startsAt: stores.dayStartsAt })
      .from(stores)
      .where(and(eq(stores.merchantId, merchantId), isNotNull(stores.dayStartsAt))),
  ]);
  const startsAtOfStores = new Map(
    others.flatMap(({ storeId, startsAt }): [string, number][] => (startsAt === null ? [] : [[storeId, startsAt]])),
  );
  return { ...only(own), startsAtOfStores };
}
