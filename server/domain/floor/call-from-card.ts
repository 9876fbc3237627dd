import { and, eq, isNull } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { diningTables, merchants, stores } from '@/db/schema';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { countAgainst } from '../limits';
import { withMerchantClock } from '../merchants';
import { callLimit, callStaff, type Visit } from '../qr-ordering';
import { requireCard } from './card-page';

/**
 * Calls staff to a table without an open bill. While a call waits, calling again changes nothing. Errors:
 * `table_not_found`, `table_calls_off`, `too_many_attempts`.
 */
export async function callFromCard(services: Services, visit: Visit): Promise<void> {
  const found = await requireCard(services, visit);
  const { merchantId, tableId } = found;
  await countAgainst(services, { key: `calls of ${tableId} from ${networkOf(visit.client)}`, ...callLimit });
  const { clock } = withMerchantClock(services, found);
  await withMerchant(services.db, merchantId, async (tx) => {
    const [table] = await tx.db
      .select({ storeId: diningTables.storeId, eventTypes: merchants.eventTypes })
      .from(diningTables)
      .innerJoin(
        stores,
        and(
          eq(stores.merchantId, diningTables.merchantId),
          eq(stores.id, diningTables.storeId),
          isNull(stores.closedAt),
        ),
      )
      .innerJoin(merchants, and(eq(merchants.id, diningTables.merchantId), isNull(merchants.closedAt)))
      .where(and(eq(diningTables.merchantId, merchantId), eq(diningTables.id, tableId), isNull(diningTables.removedAt)))
      .for('key share', { of: diningTables });
    if (!table) throw new DomainError('table_not_found', say('tableNotFound'));
    const { storeId, eventTypes } = table;
    await callStaff(tx, { eventTypes }, { storeId, tableId }, 'staff', clock.now());
  });
}
