/** Refunds by tills and staff of what diners paid on a bill by card. */
import { type Tx, withMerchant } from '@/db/driver';
import {
  type Bill,
  describeBill,
  findPayment,
  loadBill,
  paymentNotFound,
  type RefundBillPaymentInput,
  type RefundByStaffInput,
  refundPayment,
  requireBillByUid,
  returnedOf,
  settlePayment,
} from '../bills';
import { retryWhileTaken } from '../engine';
import { auditPos, auditStaff } from '../kernel/audit';
import { cardLimits } from '../kernel/card-currencies';
import type { PosContext, StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { requestedStore, requireConfirmedFor } from '../merchants';
import { lockEarningSales, takePointsDue } from './take-back-points';

interface Refund {
  billUid: string;
  /** What is refunded on top of earlier refunds, in minor units. */
  added: number;
  /** Points that it takes from customers, or that they owe for it. */
  pointsTaken: number;
}

/**
 * Refunds a payment of an open or closed bill, up to the given total over all refunds, so a repeat changes nothing. On
 * an open bill, the amount is due again. Of a closed one, customers lose the points that the money earned. The payer gets it
 * at once, or as soon as the payment service can be reached.
 * Errors: `bill_payment_not_found`, also for a payment that was not paid, `invalid_request` for more than was paid,
 * `store_forbidden`, `store_not_found`.
 */
export async function refundBillPayment(ctx: PosContext, input: RefundBillPaymentInput): Promise<Bill> {
  const { billId, paymentId, returned = null, keepPoints, reason } = input;
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  const { billUid } = await inTransaction(ctx, async (tx) => {
    if (!(await findPayment(tx, paymentId, { storeId: store.id, billId }))) throw paymentNotFound();
    const refund = await refundOnce(tx, ctx, { paymentId, returned, keepPoints });
    const { billUid, added: amount, pointsTaken } = refund;
    const after = { paymentId, amount, pointsTaken, reason };
    if (amount > 0) await auditPos(tx, ctx, 'bill.refundPayment', { kind: 'bill', id: billUid }, input, { after });
    return refund;
  });
  await settlePayment(ctx, ctx.merchant, paymentId);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) =>
    describeBill(await loadBill(tx, await requireBillByUid(tx, billUid)), ctx.merchant.currency, ctx.clock.now()),
  );
}

/**
 * Refunds a payment on behalf of staff. Returns how many points customers lose by it. Errors: `bill_payment_not_found`,
 * `invalid_request`, `confirmation_required`.
 */
export async function refundBillPaymentByStaff(
  ctx: StaffContext,
  input: RefundByStaffInput,
): Promise<{ pointsTaken: number }> {
  const { paymentId, reason } = input;
  const { pointsTaken } = await inTransaction(ctx, async (tx) => {
    const refund = await refundOnce(tx, ctx, input);
    const { billUid, added: amount, pointsTaken } = refund;
    await requireConfirmedFor(tx, ctx, { value: amount, points: 0 });
    const after = { paymentId, amount, pointsTaken, reason };
    if (amount > 0) await auditStaff(tx, ctx, 'bill.refundPayment', { kind: 'bill', id: billUid }, { after });
    return refund;
  });
  await settlePayment(ctx, ctx.merchant, paymentId);
  return { pointsTaken };
}

/** Tries again if a sale or a merge came between the look at the bill and its lock. */
const inTransaction = <T>(ctx: PosContext | StaffContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retryWhileTaken(() => withMerchant(ctx.db, ctx.merchant.id, work));

interface Wanted {
  paymentId: string;
  /** Over all refunds; null for all of the payment. */
  returned: number | null;
  keepPoints?: boolean | undefined;
}

async function refundOnce(
  tx: Tx,
  { merchant, clock }: PosContext | StaffContext,
  { paymentId, returned, keepPoints }: Wanted,
): Promise<Refund> {
  const seen = await findPayment(tx, paymentId);
  if (seen?.state !== 'taken') throw paymentNotFound();
  const { billUid, amount, tip } = seen;
  const all = amount + tip;
  if (returned !== null && returned > all) throw invalid('returned', say('atMost', { maximum: all }));
  const { step } = cardLimits(merchant.currency);
  if (returned !== null && returned % step !== 0) throw invalid('returned', say('notInSteps', { step }));
  const now = clock.now();
  const locked = await lockEarningSales(tx, billUid);
  const change = await refundPayment(tx, merchant, { paymentId, returned: returned ?? all, keepPoints }, now);
  const pointsTaken = await takePointsDue(tx, merchant, { billUid, locked }, now);
  return { billUid, added: change ? returnedOf(change.after) - returnedOf(change.before) : 0, pointsTaken };
}
