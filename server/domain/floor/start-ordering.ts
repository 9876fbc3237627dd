/** Guests open a bill themselves, where the merchant lets them. Its first order waits for staff (ADR 38). */

import { and, eq, isNull } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { diningTables, merchants } from '@/db/schema';
import { networkOf } from '@/server/limits/client-address';
import { throttle } from '@/server/limits/throttle';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { withMerchantClock } from '../merchants';
import { newBillNumber, openCode, readOrderingSettings, type Visit } from '../qr-ordering';
import { findBillOfCard, pathOfBill, requireCard } from './card-page';

/** Until staff accept the first order. */
const minutesToOrder = 30;

/** Of one network at one table, and of all at it: who only opens bills and orders nothing is stopped. */
const ofNetwork = { attempts: 5, windowSeconds: 600 };
const ofTable = { attempts: 20, windowSeconds: 3_600 };

/**
 * Returns the path of the page of the table's bill, which it opens if there is none. Several phones at once get the same.
 * Errors: `table_not_found`, `card_ordering_off`, `store_not_found` for a closed store, `too_many_attempts`.
 */
export async function startOrdering(services: Services, visit: Visit): Promise<{ path: string }> {
  const { path } = await findBillOfCard(services, visit);
  if (path !== null) return { path };
  const found = await requireCard(services, visit);
  const { merchantId, tableId } = found;
  await throttle(services, { key: `start at ${tableId} from ${networkOf(visit.client)}`, ...ofNetwork });
  await throttle(services, { key: `start at ${tableId}`, ...ofTable });
  const here = withMerchantClock(services, found);
  return withMerchant(services.db, merchantId, async (tx) => {
    const { tableCardPage } = await readOrderingSettings(tx);
    if (tableCardPage !== 'bill') throw new DomainError('card_ordering_off', say('cardOrderingOff'));
    const table = await lockTableToOrder(tx, tableId);
    if (!table || found.merchantClosedAt) throw new DomainError('table_not_found', say('tableNotFound'));
    const opened = await pathOfBill(tx, here, found);
    if (opened !== null) return { path: opened };
    const { storeId, name, eventTypes } = table;
    const bill = { billId: newBillNumber(), table: name, expiresInMinutes: minutesToOrder, openedBy: 'diner' } as const;
    await openCode(tx, { ...here, merchant: { eventTypes } }, storeId, bill);
    return { path: String(await pathOfBill(tx, here, found)) };
  });
}

/** Has whoever starts at the same table wait. */
async function lockTableToOrder({ merchantId, db }: Tx, tableId: string) {
  const { storeId, name } = diningTables;
  const [table] = await db
    .select({ storeId, name, eventTypes: merchants.eventTypes })
    .from(diningTables)
    .innerJoin(merchants, eq(merchants.id, diningTables.merchantId))
    .where(and(eq(diningTables.merchantId, merchantId), eq(diningTables.id, tableId), isNull(diningTables.removedAt)))
    .for('no key update', { of: diningTables });
  return table;
}
