/** Tills and staff release what a phone holds and does not pay. */
import { type Tx, withMerchant } from '@/db/driver';
import { auditPos, auditStaff } from '../kernel/audit';
import type { PosContext, StaffContext } from '../kernel/context';
import { checkOccurredAt } from '../kernel/occurred-at';
import { requestedStore } from '../merchants';
import { describeBill } from './describe';
import { loadBill, requireBillByUid } from './load';
import { findPayment, paymentNotFound, releasePayment } from './payments';
import type { Bill, ReleaseBillPaymentInput, ReleaseByStaffInput } from './schemas';
import { settlePayment } from './settle';

/**
 * Releases what a payment holds, so that it is due and free again. A payment that was taken stays as it is; one that is
 * taken later counts if it is still due. A repeat changes nothing. Errors: `bill_payment_not_found`, `store_forbidden`,
 * `store_not_found`.
 */
export async function releaseBillPayment(ctx: PosContext, input: ReleaseBillPaymentInput): Promise<Bill> {
  const { billId, paymentId } = input;
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  const billUid = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    if (!(await findPayment(tx, paymentId, { storeId: store.id, billId }))) throw paymentNotFound();
    const { billUid, amount } = await releaseOnce(tx, ctx, paymentId);
    const subject = { kind: 'bill', id: billUid };
    if (amount > 0) await auditPos(tx, ctx, 'bill.releasePayment', subject, input, { after: { paymentId, amount } });
    return billUid;
  });
  await settlePayment(ctx, ctx.merchant, paymentId);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) =>
    describeBill(await loadBill(tx, await requireBillByUid(tx, billUid)), ctx.merchant.currency, ctx.clock.now()),
  );
}

/** Releases what a payment holds on behalf of staff. Errors: `bill_payment_not_found`. */
export async function releaseBillPaymentByStaff(ctx: StaffContext, { paymentId }: ReleaseByStaffInput): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { billUid, amount } = await releaseOnce(tx, ctx, paymentId);
    const subject = { kind: 'bill', id: billUid };
    if (amount > 0) await auditStaff(tx, ctx, 'bill.releasePayment', subject, { after: { paymentId, amount } });
  });
  await settlePayment(ctx, ctx.merchant, paymentId);
}

/** Returns the amount that was released: 0 if it was released or taken before. */
async function releaseOnce(tx: Tx, { merchant, clock }: PosContext | StaffContext, paymentId: string) {
  const seen = await findPayment(tx, paymentId);
  if (!seen) throw paymentNotFound();
  const change = await releasePayment(tx, merchant, { paymentId }, clock.now());
  const isReleased = change?.before.state === 'held' && change.after.state === 'released';
  return { billUid: seen.billUid, amount: isReleased ? seen.amount : 0 };
}
