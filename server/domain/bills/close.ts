import { withMerchant } from '@/db/driver';
import { auditPos } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { requestedStore } from '../merchants';
import { describeBill } from './describe';
import { type BillRow, figuresOfBill, type LoadedBill, loadBill, lockBillMeant } from './load';
import { checkExpectedDue } from './open';
import type { Bill, CloseBillInput, VoidBillInput } from './schemas';
import { billClosed, closeForgotten, type Ending, endBill } from './write';

/**
 * Closes a bill that was settled at the till, even if an amount is due. Payments in progress are released, and refunded
 * if they are taken after all. Overpayment is refunded, too. Closing it again returns the same, and so does a
 * closing from before the bill was opened again, or before the number began it: the network has delivered it late. Errors:
 * `bill_not_found`, `bill_closed` for a voided bill, `bill_changed`, `store_forbidden`, `store_not_found`.
 */
export const closeBill = (ctx: PosContext, input: CloseBillInput): Promise<Bill> => endOpenBill(ctx, input, 'closed');

/**
 * Voids a bill on which nothing was redeemed or paid. Voiding it again returns the same. Errors: `bill_not_found`,
 * `bill_paid`, `bill_closed`, `store_forbidden`, `store_not_found`.
 */
export const voidBill = (ctx: PosContext, input: VoidBillInput): Promise<Bill> => endOpenBill(ctx, input, 'void');

async function endOpenBill(ctx: PosContext, input: VoidBillInput & CloseBillInput, ending: Ending): Promise<Bill> {
  const occurredAt = checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const name = { storeId: store.id, billId: input.billId };
    const bill = await loadBill(tx, await lockBillMeant(tx, name, input.occurredAt ? occurredAt : null));
    // Read after the lock, so that it is later than any earlier change.
    const now = ctx.clock.now();
    await closeForgotten(tx, ctx.merchant, bill, now);
    const { row } = bill;
    if (row.state === ending) return describeBill(bill, ctx.merchant.currency, now);
    if (ending === 'closed' && isLateCopy(row, input.occurredAt)) return describeBill(bill, ctx.merchant.currency, now);
    if (row.state !== 'open') throw billClosed(row.state);
    if (ending === 'void') checkUnpaid(bill, now);
    checkExpectedDue(bill, ctx.merchant, input.expectedDue, now);
    endBill(tx, ctx.merchant, bill, { ending }, now);
    const after = { total: row.total, reason: input.reason };
    await auditPos(tx, ctx, ending === 'void' ? 'bill.void' : 'bill.close', { kind: 'bill', id: row.id }, input, {
      after,
    });
    return describeBill(bill, ctx.merchant.currency, now);
  });
}

/** True for a closing that was sent before the bill was opened again. */
const isLateCopy = ({ state, reopenedAt }: BillRow, occurredAt: string | undefined): boolean =>
  state === 'open' && reopenedAt !== null && occurredAt !== undefined && new Date(occurredAt) < reopenedAt;

/** Errors: `bill_paid`. */
function checkUnpaid(bill: LoadedBill, now: Date): void {
  const completed = bill.redemptions.filter(({ isVoided }) => !isVoided);
  const kept = bill.payments.filter(({ keptAmount, keptTip }) => keptAmount + keptTip > 0);
  if (kept.length + completed.length + bill.sold.length + bill.row.paidAtTill.length === 0) return;
  const transactionIds = [...completed, ...bill.sold].map(({ transactionId }) => transactionId);
  const paymentIds = kept.map(({ id }) => id);
  throw new DomainError('bill_paid', say('billPaid'), {
    paid: figuresOfBill(bill, now).paid,
    transactionIds,
    paymentIds,
  });
}
