import { and, eq, lte } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { forgottenBills } from '@/db/query/functions';
import { bills } from '@/db/schema';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { findMerchantEvenClosed, withMerchantClock } from '../merchants';
import { billColumns, loadBill } from './load';
import { sameBillMs } from './window';
import { closeForgotten } from './write';

const batchSize = 500;

/**
 * Closes bills that their tills have forgotten, for all merchants, as of when they were forgotten. So overpayment goes back to
 * its payers. Safe to run twice, or at once. Errors: the first fault, after all other bills.
 */
export async function closeForgottenBills(services: Services): Promise<void> {
  const before = new Date(services.systemClock.now().getTime() - sameBillMs);
  const { $rows, ...forgotten } = forgottenBills({ before, most: batchSize });
  const due = await services.db.pool.select(forgotten).from($rows);
  await forEachInTurn(due, (one) => closeForgottenBill(services, one), services.stopping);
}

async function closeForgottenBill(all: Services, { merchantId, billUid }: { merchantId: string; billUid: string }) {
  const merchant = await findMerchantEvenClosed(all, merchantId);
  if (!merchant) return;
  const { db, clock } = withMerchantClock(all, merchant);
  await withMerchant(db, merchantId, async (tx) => {
    const now = clock.now();
    const isForgotten = lte(bills.updatedAt, new Date(now.getTime() - sameBillMs));
    const [row] = await tx.db
      .select(billColumns)
      .from(bills)
      .where(and(eq(bills.merchantId, merchantId), eq(bills.id, billUid), eq(bills.state, 'open'), isForgotten))
      .for('update');
    // Otherwise it was closed or sent again at this moment.
    if (!row) return;
    await closeForgotten(tx, merchant, await loadBill(tx, row), now);
  });
}
