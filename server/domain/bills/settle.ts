/** Settles payments on bills according to the payment service. What it has taken is kept on the bill or refunded. */

import { and, eq, isNull, not, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { unsettledBillPayments } from '@/db/query/functions';
import { billPayments } from '@/db/schema';
import type { CardPayments, Payment } from '../kernel/card-payments';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { DomainError } from '../kernel/errors';
import { findMerchantEvenClosed, readMerchantNow, withMerchantClock } from '../merchants';
import type { LoadedPayment } from './load';
import { countReturned, findPayment, releasePayment, takePayment, updatePayment } from './payments';
import { isHeld, owedOf } from './rules';

interface SettleInput {
  merchantId: string;
  billPaymentId: string;
  /** Set if known: a webhook may arrive before we have stored it. */
  checkoutId?: string | undefined;
}

/**
 * Fetches a payment's state and acts on it: counts it once, releases it, or refunds what is not kept. Every signal
 * about a payment leads here (webhooks, the payer's return, refunds, the worker), in any order and any number of times.
 * A page on which nothing is held any more is ended first. Returns the service's state; null if it has none. Errors:
 * `service_unavailable`.
 */
export async function settleBillPayment(
  all: Services,
  { merchantId, billPaymentId, checkoutId: reportedId }: SettleInput,
): Promise<Payment['status'] | null> {
  const merchant = await findMerchantEvenClosed(all, merchantId);
  if (!merchant || !all.cardPayments) return null;
  const services = withMerchantClock(all, merchant);
  const { db, clock, systemClock } = services;
  const change = <T>(work: (tx: Tx) => Promise<T>) => withMerchant(db, merchant.id, work);
  const seen = await change((tx) => findPayment(tx, billPaymentId));
  if (!seen) return null;
  const cardPayments = all.cardPayments.on(seen.cardAccountId);
  const isOver = !isHeld(seen, clock.now());
  const release = () =>
    change((tx) => releasePayment(tx, merchant, { paymentId: seen.id, isEnded: true }, clock.now()));
  const checkoutId = seen.checkoutId ?? reportedId;
  if (checkoutId !== undefined && isOver && !seen.checkoutEnded) await cardPayments.endCheckout(checkoutId);
  const payment = checkoutId === undefined ? null : await cardPayments.getPayment(checkoutId);
  if (!payment) {
    // No one can pay or has paid there, unless the page is just being opened. If a webhook reports a payment later, it
    // is handled then.
    if (checkoutId !== undefined || isOver) await release();
    // Taken with another Stripe account, or known from elsewhere: only staff can give it back.
    if (owedOf(seen) > 0) await change((tx) => noteRefusal(tx, seen, systemClock.now()));
    return null;
  }
  if (payment.purposeId !== seen.id) return null;
  if (payment.status === 'expired' || payment.status === 'failed') await release();
  if (payment.status === 'paid' && checkoutId !== undefined) {
    await takeAndGiveBack(services, { merchant, cardPayments, checkoutId }, seen, payment);
  }
  return payment.status;
}

interface Place {
  merchant: Merchant;
  cardPayments: CardPayments;
  checkoutId: string;
}

/**
 * Counts a payment that the service took, and refunds what is owed. The service may report less refunded than we know
 * of, for two reasons: its answer is from before another refund, or a refund has failed. It is then asked again: if it
 * reports at least `atLeast`, what we knew before, the answer was only old; otherwise a refund has failed.
 */
async function takeAndGiveBack(
  services: Services,
  place: Place,
  seen: LoadedPayment,
  payment: Payment,
  atLeast = 0,
): Promise<void> {
  const taken = await withMerchant(services.db, place.merchant.id, (tx) => take(tx, services, seen, payment, atLeast));
  if (taken?.isCurrent) return giveBack(services, place, taken.payment, payment);
  // The worker repeats a failed refund.
  if (!taken || atLeast > 0) return;
  const again = await place.cardPayments.getPayment(place.checkoutId);
  if (again) await takeAndGiveBack(services, place, seen, again, taken.payment.returnedAmount);
}

/** Counts a payment, and what the service has refunded of it, unless we know of more. */
async function take(tx: Tx, services: Services, seen: LoadedPayment, payment: Payment, atLeast: number) {
  const { merchant, now, isClosed } = await readMerchantNow(tx, services);
  const { id: paymentId, amount, tip } = seen;
  const isOther = payment.amount !== amount + tip || payment.currency !== merchant.currency;
  const known = await takePayment(tx, merchant, { paymentId, isRefused: isClosed || isOther }, now);
  if (!known) return null;
  if (known.paymentId === null) updatePayment(tx, paymentId, { paymentId: payment.paymentId });
  const returned = returnedByService(seen, payment);
  const isCurrent = returned >= known.returnedAmount;
  if (!isCurrent && returned >= atLeast) return { payment: known, isCurrent };
  const counted = await countReturned(tx, merchant, { paymentId, returned }, now);
  return { payment: counted ?? known, isCurrent };
}

/** If the service took another amount than ours, the payer has all back once all of that is refunded. */
const returnedByService = ({ amount, tip }: LoadedPayment, payment: Payment): number =>
  payment.refunded >= payment.amount ? amount + tip : payment.refunded;

/** Refunds what is owed. A refusal is shown to staff, and the worker tries again later. */
async function giveBack(
  { db, clock, systemClock }: Services,
  { merchant, cardPayments }: Place,
  taken: LoadedPayment,
  payment: Payment,
): Promise<void> {
  const { paymentId, refunded, refundCount, currency, hasFee } = payment;
  const amount = payment.amount - refunded - taken.keptAmount - taken.keptTip;
  if (owedOf(taken) === 0 || amount <= 0 || paymentId === null) return;
  const attempt = [refunded, refundCount, taken.refundRefusedAt?.getTime() ?? 0].join('-');
  const part = { merchantId: merchant.id, billPaymentId: taken.id, paymentId, amount, attempt, currency, hasFee };
  const isRefunded = await cardPayments.payBackPart(part).catch((error) => {
    if (!(error instanceof DomainError)) throw error;
    return null;
  });
  // Unknown: the worker asks again later. It continues with other payments, because the service may keep refusing this
  // attempt.
  if (isRefunded === null) return;
  await withMerchant(db, merchant.id, async (tx) => {
    if (isRefunded) {
      const returned = returnedByService(taken, { ...payment, refunded: refunded + amount });
      await countReturned(tx, merchant, { paymentId: taken.id, returned }, clock.now());
    } else await noteRefusal(tx, taken, systemClock.now());
  });
}

/** Records for staff that what is owed can't be refunded now. Of two refusals of one attempt, records the first. */
async function noteRefusal(
  tx: Tx,
  { id, refundRefusedAt: before }: LoadedPayment,
  refundRefusedAt: Date,
): Promise<void> {
  updatePayment(tx, id, { refundRefusedAt }, before === null ? isNull(refusedAt) : eq(refusedAt, before));
  await announceChange(tx, 'bills');
}
const { refundRefusedAt: refusedAt } = billPayments;

/**
 * Ends and settles all payments of a closed merchant. Returns how many are not settled: the bank has not decided. What
 * the payment service refuses to refund does not count. Errors: `service_unavailable`.
 */
export async function endPaymentsOf(services: Services, merchantId: string): Promise<number> {
  const merchant = await findMerchantEvenClosed(services, merchantId);
  if (!merchant) return 0;
  const { db } = services;
  const { clock } = withMerchantClock(services, merchant);
  const { id, state, amount, tip, keptAmount, keptTip, returnedAmount, checkoutEnded } = billPayments;
  const isOwed = and(
    eq(state, 'taken'),
    isNull(refusedAt),
    sql`${amount} + ${tip} - ${keptAmount} - ${keptTip} > ${returnedAmount}`,
  );
  const findUnsettled = () =>
    withMerchant(db, merchantId, (tx) =>
      tx.db
        .select({ id })
        .from(billPayments)
        .where(and(eq(billPayments.merchantId, merchantId), or(not(checkoutEnded), isOwed))),
    );
  for (const { id: paymentId } of await findUnsettled()) {
    await withMerchant(db, merchantId, (tx) => releasePayment(tx, merchant, { paymentId }, clock.now()));
    await settleBillPayment(services, { merchantId, billPaymentId: paymentId });
  }
  return (await findUnsettled()).length;
}

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

/** Normally, a webhook or the payer's return has settled the payment by then. */
const graceMs = 60_000;
const retryRefusedMs = 60 * 60_000;
const batchSize = 500;

/**
 * Settles what was not reported, for all merchants: checks payments, ends pages on which nothing is held any more, and
 * makes outstanding refunds. Refused refunds are repeated once an hour. Several runs may work at once. If the payment
 * service is down, it is not called again in this run. Errors: the first fault, after all other payments.
 */
export async function settleOverdueBillPayments(services: Services): Promise<void> {
  const now = services.systemClock.now().getTime();
  const [before, refusedBefore] = [new Date(now - graceMs), new Date(now - retryRefusedMs)];
  const { $rows, ...unsettled } = unsettledBillPayments({ before, refusedBefore, most: batchSize });
  const overdue = await services.db.pool.select(unsettled).from($rows);
  let isAway = false;
  const settle = async (payment: (typeof overdue)[number]) => {
    if (isAway) return;
    await settleBillPayment(services, payment).catch((error) => {
      isAway = error instanceof DomainError && error.code === 'service_unavailable';
      throw error;
    });
  };
  await forEachInTurn(overdue, settle, services.stopping);
}
