import { withMerchant } from '@/db/driver';
import { auditPos } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { checkOccurredAt } from '../kernel/occurred-at';
import { requestedStore } from '../merchants';
import { describeBill } from './describe';
import { loadBill, lockBillMeant } from './load';
import type { Bill, ReopenBillInput } from './schemas';
import { billClosed, closeForgotten, openAgain } from './write';

/**
 * Opens a bill again that was closed less than twelve hours ago. An open bill is returned as it is, and so is one that
 * was closed at another time than `closedAt`. Errors:
 * `bill_not_found`, `bill_closed` for a voided or older bill, `store_forbidden`, `store_not_found`.
 */
export async function reopenBill(ctx: PosContext, input: ReopenBillInput): Promise<Bill> {
  const occurredAt = checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const name = { storeId: store.id, billId: input.billId };
    const found = await loadBill(tx, await lockBillMeant(tx, name, input.occurredAt ? occurredAt : null));
    const now = ctx.clock.now();
    await closeForgotten(tx, ctx.merchant, found, now);
    const { row } = found;
    const { currency } = ctx.merchant;
    const isOtherClosing =
      input.closedAt !== undefined && row.closedAt?.getTime() !== new Date(input.closedAt).getTime();
    if (row.state === 'open' || (row.state === 'closed' && isOtherClosing)) return describeBill(found, currency, now);
    const said = input.occurredAt === undefined ? now : new Date(input.occurredAt);
    const reopenedAt = said < now ? said : now;
    const bill = row.state === 'closed' ? await openAgain(tx, ctx.merchant, row, now, reopenedAt) : null;
    if (!bill) throw billClosed(row.state);
    const after = { total: row.total, reason: input.reason };
    await auditPos(tx, ctx, 'bill.reopen', { kind: 'bill', id: row.id }, input, { after });
    return describeBill(bill, currency, now);
  });
}
