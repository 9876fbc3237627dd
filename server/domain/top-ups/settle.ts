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
import { followRefund } from './follow-refund';
import { findRequest, lockRequest, type TopUpRequest, updateRequest } from './request';

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
  const payment = await cardPayments.getPayment(checkoutId);
  if (!payment) {
    // No one can pay or has paid there. If a webhook reports a payment later, it is handled then.
    await withMerchant(db, merchant.id, async (tx) => {
      await end(tx, seen, unpaid);
      await alertWhileRefunding(tx, systemClock.now(), seen);
    });
    return;
  }
  if (payment.purposeId !== seen.id) return;
  const after = await withMerchant(db, merchant.id, async (tx) =>
    follow(tx, await readMerchantNow(tx, services), seen, payment, unpaid),
  );
  if (after === 'refunding') await payBack(services, merchant, cardPayments, seen, payment);
}

async function end(tx: Tx, seen: TopUpRequest, state: 'expired' | 'cancelled' | 'failed'): Promise<void> {
  const request = await lockRequest(tx, seen);
  if (request.state === 'open') await updateRequest(tx, request, { state });
}

interface Moment {
  merchant: Merchant;
  now: Date;
  isClosed: boolean;
}

/** Acts on a payment under the request's lock. Returns the new state. */
async function follow(
  tx: Tx,
  moment: Moment,
  seen: TopUpRequest,
  payment: Payment,
  unpaid: 'expired' | 'cancelled',
): Promise<TopUpRequest['state']> {
  const request = await lockRequest(tx, seen);
  const isDone = request.state === 'credited' || request.state === 'refunding' || request.state === 'refunded';
  if (payment.status !== 'paid') {
    const isOver = payment.status === 'expired' || payment.status === 'failed';
    const state = payment.status === 'failed' ? 'failed' : unpaid;
    if (!isOver || request.state !== 'open') return request.state;
    await updateRequest(tx, request, { state });
    return state;
  }
  if (!isDone && payment.refunded < payment.amount) await credit(tx, moment, request, payment);
  return payment.refunded > 0 ? followRefund(tx, moment, await lockRequest(tx, seen), payment) : stateOf(tx, request);
}

const stateOf = async (tx: Tx, { id }: TopUpRequest) => (await findRequest(tx, id))?.state ?? 'open';

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

/** Reports an outstanding refund to staff, once. */
async function alertWhileRefunding(tx: Tx, now: Date, seen: TopUpRequest): Promise<void> {
  const request = await lockRequest(tx, seen);
  if (request.state === 'refunding' && request.alertedAt === null) {
    await updateRequest(tx, request, { alertedAt: now });
  }
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
  { paymentId, amount }: Payment,
): Promise<void> {
  const isPaidBack =
    paymentId !== null &&
    (await payments.payBack({ paymentId, topUpRequestId: seen.id }).catch((error) => {
      if (error instanceof DomainError) return false;
      throw error;
    }));
  await withMerchant(db, merchant.id, async (tx) => {
    if (!isPaidBack) return alertWhileRefunding(tx, systemClock.now(), seen);
    const request = await lockRequest(tx, seen);
    if (request.state === 'refunding') {
      await updateRequest(tx, request, { state: 'refunded', refundedAmount: amount });
    }
  });
}
