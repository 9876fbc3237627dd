import { withMerchant } from '@/db/driver';
import type { PosContext } from '../kernel/context';
import { checkOccurredAt } from '../kernel/occurred-at';
import { requestedStore } from '../merchants';
import { sendBillUpdate } from './bill-events';
import { describeBill } from './describe';
import { figuresOfBill, loadBill, lockBillMeant } from './load';
import { isBillOpen } from './open';
import type { Bill, SettlingInput } from './schemas';
import { billClosed, writeBill } from './write';

/**
 * Stops changes by phones for some minutes, while the till takes money for the bill; with 0 minutes, allows them again. A
 * closed bill is returned as it is. Errors: `bill_not_found`, `bill_closed` for a voided one, `store_forbidden`, `store_not_found`.
 */
export async function beginSettling(ctx: PosContext, input: SettlingInput): Promise<Bill> {
  const occurredAt = checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const name = { storeId: store.id, billId: input.billId };
    const row = await lockBillMeant(tx, name, input.occurredAt ? occurredAt : null);
    // Read after the lock, so that it is later than any earlier change.
    const now = ctx.clock.now();
    if (row.state === 'void') throw billClosed('void');
    const bill = await loadBill(tx, row);
    if (!isBillOpen(bill, now)) return describeBill(bill, ctx.merchant.currency, now);
    const settlingUntil = input.minutes === 0 ? null : new Date(now.getTime() + input.minutes * 60_000);
    bill.row = { ...bill.row, settlingUntil };
    writeBill(tx, bill, now);
    sendBillUpdate(tx, { merchant: ctx.merchant, bill, wasPaid: figuresOfBill(bill, now).isPaid, now });
    return describeBill(bill, ctx.merchant.currency, now);
  });
}
