import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { only, type Queries } from '@/db/query/queries';
import { merchants, voucherCampaigns } from '@/db/schema';
import { auditChange } from '../kernel/audit';
import { dateIn } from '../kernel/calendar';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { loadZone } from './load-zone';
import { clockOf } from './merchant';

/**
 * Closes a merchant, for the operator. From the next request on, its keys are refused, its staff can't sign in, its
 * pages say that it is closed, and the worker does nothing for its customers. Nothing is deleted. `db` is a database
 * transaction of the tables' owner. Returns false if the merchant was already closed.
 */
export const closeMerchant = (db: Queries, merchantId: string, at: Date): Promise<boolean> =>
  change(db, merchantId, at, true);

/**
 * Opens a closed merchant again. Its automatic campaigns continue from today; as after a pause, missed days are not
 * made up for. Returns false if the merchant was open.
 */
export async function openMerchant(
  db: Queries,
  services: Pick<Services, 'environment' | 'systemClock'>,
  merchantId: string,
): Promise<boolean> {
  if (!(await change(db, merchantId, services.systemClock.now(), false))) return false;
  const { timeZone, dayStartsAt, clockAheadSeconds } = merchants;
  const settings = only(
    await db.select({ timeZone, dayStartsAt, clockAheadSeconds }).from(merchants).where(eq(merchants.id, merchantId)),
  );
  await loadZone(db, settings.timeZone);
  const today = dateIn(settings, clockOf(services, settings).now());
  const { occasionsThrough, daysBefore } = voucherCampaigns;
  await db
    .update(voucherCampaigns)
    .set({ occasionsThrough: sql`greatest(${occasionsThrough}, ${today}::date - 1 - ${daysBefore})` })
    .where(eq(voucherCampaigns.merchantId, merchantId));
  return true;
}

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
  await auditChange(tx, { kind: 'service', id: null }, action, { kind: 'merchant', id: merchantId }, at);
  // Makes phones at its tables check whether their code still takes orders.
  await announceChange(tx, 'qrCodes');
  return true;
}
