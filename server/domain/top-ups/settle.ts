/** Settles a top-up paid by card according to its payment's state. */
import { type Tx, withMerchant } from '@/db/driver';
import type { Attempt } from '../engine';
import type { CardPayments, Payment } from '../kernel/card-payments';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { DomainError, isOutcome } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { findMerchantEvenClosed, readMerchantNow } from '../merchants';
import { creditOnline } from '../stored-value';
import { followFailedRefund, followRefund } from './follow-refund';
import { findRequest, lockRequest, type TopUpRequest, updateRequest } from './request';

/** How long a refund that was refused, or came back, is not made again. */
export const retryRefusedMs = 60 * 60_000;

interface SettleInput {
  merchantId: string;
  topUpRequestId: string;
  /** Set if known: a webhook may arrive before we have stored it. */
  checkoutId?: string | undefined;
}

/**
 * Fetches a top-up's payment and acts on it: credits it once, ends it, or refunds it. Every signal about a payment
 * leads here (webhooks, the payer's return, the worker), in any order and any number of times. Does nothing for unknown
 * requests and those at a counter. Errors: `service_unavailable`.
 */
export async function settleTopUp(
  services: Services,
  { merchantId, topUpRequestId, checkoutId: reportedId }: SettleInput,
  { unpaid = 'expired' }: { unpaid?: 'expired' | 'cancelled' } = {},
): Promise<void> {
  const { db, cardPayments, systemClock } = services;
  const merchant = await findMerchantEvenClosed(services, merchantId);
  if (!merchant || !cardPayments) return;
  const seen = await withMerchant(db, merchant.id, (tx) => findRequest(tx, topUpRequestId));
  if (seen?.method !== 'card') return;
  const checkoutId = seen.checkoutId ?? reportedId;
  if (checkoutId === undefined) {
    // The payer never got a checkout page.
    if (seen.expiresAt <= systemClock.now()) await withMerchant(db, merchant.id, (tx) => end(tx, seen, unpaid));
    return;
  }
  const payments = cardPayments.on(seen.cardAccountId);
  let payment = await payments.getPayment(checkoutId);
  if (!payment) {
    // No one can pay or has paid there. If a webhook reports a payment later, it is handled then.
    await withMerchant(db, merchant.id, async (tx) => {
      await end(tx, seen, unpaid);
      await noteRefusal(tx, systemClock.now(), seen);
    });
    return;
  }
  if (payment.purposeId !== seen.id) return;
  const change = (now: Payment, atLeast: number) =>
    withMerchant(db, merchant.id, async (tx) =>
      follow(tx, { ...(await readMerchantNow(tx, services)), systemNow: systemClock.now() }, seen, now, {
        unpaid,
        atLeast,
      }),
    );
  let after = await change(payment, 0);
  if (after.isOld) {
    payment = (await payments.getPayment(checkoutId)) ?? payment;
    after = await change(payment, after.refundedAmount);
  }
  if (isRefundDue(after, systemClock.now())) await payBack(services, merchant, payments, seen, payment);
}

async function end(tx: Tx, seen: TopUpRequest, state: 'expired' | 'cancelled' | 'failed'): Promise<void> {
  const request = await lockRequest(tx, seen);
  if (request.state === 'open') await updateRequest(tx, request, { state });
}

interface Moment {
  merchant: Merchant;
  now: Date;
  /** By the machine's clock. */
  systemNow: Date;
  isClosed: boolean;
}

/** True if it is time to make an outstanding refund, which staff have not made in another way. */
const isRefundDue = ({ state, refundRefusedAt, acknowledgedAt }: TopUpRequest, now: Date): boolean =>
  state === 'refunding' &&
  acknowledgedAt === null &&
  (refundRefusedAt === null || refundRefusedAt.getTime() + retryRefusedMs <= now.getTime());

const isNews = ({ processingSince, processingUntil }: TopUpRequest, payment: Payment): boolean =>
  processingSince === null || processingUntil?.getTime() !== payment.processingUntil?.getTime();

interface Followed extends TopUpRequest {
  /** True if the service may have answered before a refund that we know of. It is to be asked again. */
  isOld: boolean;
}

/**
 * Acts on a payment under the request's lock. The service may report less refunded than we know of, for two reasons:
 * its answer is from before another refund, or a refund has failed. It is then asked again: if it reports at least
 * `atLeast`, what we knew before, the answer was only old; otherwise a refund has failed.
 */
async function follow(
  tx: Tx,
  moment: Moment,
  seen: TopUpRequest,
  payment: Payment,
  { unpaid, atLeast }: { unpaid: 'expired' | 'cancelled'; atLeast: number },
): Promise<Followed> {
  const request = await lockRequest(tx, seen);
  const { id, state, refundedAmount, paymentId } = request;
  const isOver = payment.status === 'expired' || payment.status === 'failed';
  const isDone = state === 'credited' || state === 'refunding' || state === 'refunded';
  if (payment.status !== 'paid') {
    if (payment.status === 'processing' && state === 'open' && isNews(request, payment)) {
      const processingSince = request.processingSince ?? moment.systemNow;
      await updateRequest(tx, request, { processingSince, processingUntil: payment.processingUntil });
      await announceChange(tx, 'customers');
    }
    if (isOver && state === 'open') {
      await updateRequest(tx, request, { state: payment.status === 'failed' ? 'failed' : unpaid });
    }
    return { ...request, isOld: false };
  }
  if (paymentId === null) await updateRequest(tx, request, { paymentId: payment.paymentId });
  if (!isDone && payment.refunded < payment.amount) await credit(tx, moment, request, payment);
  const isLess = payment.refunded < refundedAmount;
  const isOld = isLess && payment.refunded >= atLeast;
  if (!isOld && (isLess || payment.refunded > 0)) {
    await (isLess ? followFailedRefund : followRefund)(tx, moment, await lockRequest(tx, seen), payment);
  }
  return { ...((await findRequest(tx, id)) ?? request), isOld };
}

/** Credits what was offered at the start, or records why that was refused and that a refund is due. */
async function credit(
  tx: Tx,
  { merchant, now, isClosed }: Moment,
  request: TopUpRequest,
  payment: Payment,
): Promise<void> {
  if (isClosed) {
    // Not credited, because the payer could not spend it.
    await updateRequest(tx, request, { state: 'refunding', refusal: 'merchant_closed' });
    return;
  }
  if (payment.amount !== request.principal || payment.currency !== merchant.currency) {
    await updateRequest(tx, request, { state: 'refunding', refusal: 'payment_mismatch' });
    return;
  }
  const attempt: Attempt = {
    ctx: { merchant, apiKeyId: null },
    type: 'topUp',
    // Unique in the database, so that a request is never credited twice.
    input: { transactionId: `online-${request.id}` },
    uid: newId(now.getTime()),
    storeId: null,
    customerId: request.customerId,
    requestHash: null,
    now,
    occurredAt: now,
  };
  try {
    await creditOnline(tx, attempt, request);
  } catch (error) {
    // Nothing was written yet, because refusals are decided before any write.
    if (!isOutcome(error)) throw error;
    await updateRequest(tx, request, { state: 'refunding', refusal: error.code });
    return;
  }
  await updateRequest(tx, request, { state: 'credited', transactionUid: attempt.uid });
  await Promise.all([announceChange(tx, 'transactions'), announceChange(tx, 'customers')]);
}

/** Records that an outstanding refund can't be made now, and reports it to staff, once. */
async function noteRefusal(tx: Tx, now: Date, seen: TopUpRequest): Promise<void> {
  const request = await lockRequest(tx, seen);
  if (request.state !== 'refunding') return;
  await updateRequest(tx, request, { refundRefusedAt: now, alertedAt: request.alertedAt ?? now });
}

/**
 * Refunds what could not be credited. If the service refuses or does not respond, staff are alerted, and the worker
 * keeps trying: one failing payment must not block the others.
 */
async function payBack(
  { db, systemClock }: Services,
  merchant: Merchant,
  payments: CardPayments,
  seen: TopUpRequest,
  { paymentId, amount, hasFee }: Payment,
): Promise<void> {
  const isPaidBack =
    paymentId !== null &&
    (await payments.payBack({ paymentId, merchantId: merchant.id, topUpRequestId: seen.id, hasFee }).catch((error) => {
      if (error instanceof DomainError) return false;
      throw error;
    }));
  await withMerchant(db, merchant.id, async (tx) => {
    if (!isPaidBack) return noteRefusal(tx, systemClock.now(), seen);
    const request = await lockRequest(tx, seen);
    if (request.state === 'refunding') {
      await updateRequest(tx, request, { state: 'refunded', refundedAmount: amount });
    }
  });
}
