import { withMerchant } from '@/db/client';
import type { PosContext } from '../kernel/context';
import { requestedStore } from '../merchants';
import { describeBill, loadBill, requireBill } from './load';
import type { Bill, GetBillInput } from './schemas';

/** Returns a bill with what was redeemed and paid on it. Errors: `bill_not_found`, `store_forbidden`, `store_not_found`. */
export async function getBill(ctx: PosContext, { billId, storeCode }: GetBillInput): Promise<Bill> {
  const store = await requestedStore(ctx, storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const bill = await loadBill(tx, await requireBill(tx, { storeId: store.id, billId }, 'read'));
    return describeBill(bill, ctx.merchant.currency, ctx.clock.now());
  });
}
