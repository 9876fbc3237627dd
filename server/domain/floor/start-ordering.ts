/** Guests open a bill themselves, if the merchant allows it. Its first order waits for staff (ADR 38). */

import { and, eq, isNull } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { diningTables, merchants } from '@/db/schema';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { countAgainst } from '../limits';
import { withMerchantClock } from '../merchants';
import { newBillNumber, openCode, readOrderingSettings, type Visit } from '../qr-ordering';
import { findBillOfCard, pathOfBill, requireCard } from './card-page';

/** The time until staff must have accepted a first order. */
const minutesToOrder = 30;

/** For one network at a table, and for all networks at it: stops people who open bills without ordering. */
export const ofNetwork = { attempts: 5, windowSeconds: 600 };
const ofTable = { attempts: 20, windowSeconds: 3_600 };

/**
 * Returns the path of the page of the table's bill. Opens a bill if there is none. Several phones at once get the same.
 * Errors: `table_not_found`, `card_ordering_off`, `store_not_found` for a closed store, `too_many_attempts`.
 */
export async function startOrdering(services: Services, visit: Visit): Promise<{ path: string }> {
  const { path } = await findBillOfCard(services, visit);
  if (path !== null) return { path };
  const found = await requireCard(services, visit);
  const { merchantId, tableId } = found;
  await countAgainst(services, { key: `start at ${tableId} from ${networkOf(visit.client)}`, ...ofNetwork });
  await countAgainst(services, { key: `start at ${tableId}`, ...ofTable });
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

/** Makes others who start at the same table wait. */
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
