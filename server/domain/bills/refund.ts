/** Refunds by tills and staff of what diners paid on a bill by card. */
import { type Tx, withMerchant } from '@/db/driver';
import { auditPos, auditStaff } from '../kernel/audit';
import type { Merchant, PosContext, Services, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { requestedStore, requireConfirmedFor } from '../merchants';
import { describeBill } from './describe';
import { loadBill, requireBillByUid } from './load';
import { findPayment, refundPayment } from './payments';
import { returnedOf } from './rules';
import type { Bill, RefundBillPaymentInput, RefundByStaffInput } from './schemas';
import { settleBillPayment } from './settle';

/** `added`: what is refunded on top of earlier refunds. */
interface Refund {
  billUid: string;
  added: number;
}

/**
 * Refunds a payment of an open or closed bill, up to the given total over all refunds, so a repeat changes nothing. On
 * an open bill, the amount is due again. The payer gets it at once, or as soon as the payment service can be reached.
 * Errors: `bill_payment_not_found`, also for a payment that was not paid, `invalid_request` for more than was paid,
 * `store_forbidden`, `store_not_found`.
 */
export async function refundBillPayment(ctx: PosContext, input: RefundBillPaymentInput): Promise<Bill> {
  const { billId, paymentId, returned, reason } = input;
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  const { billUid } = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    if (!(await findPayment(tx, paymentId, { storeId: store.id, billId }))) throw paymentNotFound();
    const refund = await refundOnce(tx, ctx, { paymentId, returned: returned ?? null });
    const { billUid, added: amount } = refund;
    const after = { paymentId, amount, reason };
    if (amount > 0) await auditPos(tx, ctx, 'bill.refundPayment', { kind: 'bill', id: billUid }, input, { after });
    return refund;
  });
  await settlePayment(ctx, ctx.merchant, paymentId);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) =>
    describeBill(await loadBill(tx, await requireBillByUid(tx, billUid)), ctx.merchant.currency, ctx.clock.now()),
  );
}

/** Refunds a payment on behalf of staff. Errors: `bill_payment_not_found`, `invalid_request`, `confirmation_required`. */
export async function refundBillPaymentByStaff(ctx: StaffContext, input: RefundByStaffInput): Promise<void> {
  const { paymentId, reason } = input;
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { billUid, added: amount } = await refundOnce(tx, ctx, input);
    await requireConfirmedFor(tx, ctx, { value: amount, points: 0 });
    const after = { paymentId, amount, reason };
    if (amount > 0) await auditStaff(tx, ctx, 'bill.refundPayment', { kind: 'bill', id: billUid }, { after });
  });
  await settlePayment(ctx, ctx.merchant, paymentId);
}

async function refundOnce(
  tx: Tx,
  { merchant, clock, cardPayments }: PosContext | StaffContext,
  { paymentId, returned }: { paymentId: string; returned: number | null },
): Promise<Refund> {
  const seen = await findPayment(tx, paymentId);
  if (seen?.state !== 'taken') throw paymentNotFound();
  const { billUid, amount, tip } = seen;
  const all = amount + tip;
  if (returned !== null && returned > all) throw invalid('returned', say('atMost', { maximum: all }));
  if (returned !== null && cardPayments?.takes(returned, merchant.currency) === false) {
    throw invalid('returned', say('notByCard'));
  }
  const change = await refundPayment(tx, merchant, { paymentId, returned: returned ?? all }, clock.now());
  return { billUid, added: change ? returnedOf(change.after) - returnedOf(change.before) : 0 };
}

export const paymentNotFound = () => new DomainError('bill_payment_not_found', say('billPaymentNotFound'));

/** Has the payment service refund or end it now. If the service can't be reached, the worker does it later. */
export async function settlePayment(
  services: Services,
  { id: merchantId }: Merchant,
  billPaymentId: string,
): Promise<void> {
  await settleBillPayment(services, { merchantId, billPaymentId }).catch((error) => {
    if (!(error instanceof DomainError)) throw error;
  });
}
