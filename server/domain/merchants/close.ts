import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Queries } from '@/db/queries';
import { merchants } from '@/db/schema';
import { audit } from '../kernel/audit';
import { announce } from '../kernel/changes';

/**
 * Closes a merchant, for the operator: from the next request on its keys are refused, its staff don't get in, its pages
 * say that it is closed, and the worker does nothing for its customers. Nothing is deleted. `db` is a database
 * transaction of the tables' owner. Returns false if the merchant was closed already.
 */
export const closeMerchant = (db: Queries, merchantId: string, at: Date): Promise<boolean> =>
  change(db, merchantId, at, true);

/** Opens a closed merchant again. Returns false if it was open. */
export const openMerchant = (db: Queries, merchantId: string, at: Date): Promise<boolean> =>
  change(db, merchantId, at, false);

async function change(db: Queries, merchantId: string, at: Date, isToClose: boolean): Promise<boolean> {
  const { id, closedAt } = merchants;
  const [changed] = await db
    .update(merchants)
    .set({ closedAt: isToClose ? at : null })
    .where(and(eq(id, merchantId), isToClose ? isNull(closedAt) : isNotNull(closedAt)))
    .returning({ id });
  if (!changed) return false;
  const tx = { merchantId, db };
  const action = isToClose ? 'merchant.close' : 'merchant.open';
  await audit(tx, { kind: 'service', id: null }, action, { kind: 'merchant', id: merchantId }, at);
  // Phones at its tables look whether their code still takes orders.
  await announce(tx, 'qrCodes');
  return true;
}
