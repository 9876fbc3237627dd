/** Changes of a top-up after its start, by the customer or over time. */
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { topUpsToCheck } from '@/db/query/functions';
import { topUpRequests } from '@/db/schema';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { DomainError } from '../kernel/errors';
import { countAgainst } from '../limits';
import { type CustomerContext, findOwnRequest, findRequest, lockRequest, updateRequest } from './request';
import { retryRefusedMs, settleTopUp } from './settle';
import { getTopUpRequest, type TopUpRequestView } from './view';

type TopUpKey = { topUpRequestId: string };

const checkLimit = { attempts: 60, windowSeconds: 600 };

/**
 * Checks a payment after the payer has returned. Errors: `top_up_request_not_found`, `too_many_attempts`,
 * `service_unavailable`.
 */
export async function checkTopUp(ctx: CustomerContext, key: TopUpKey): Promise<TopUpRequestView> {
  const seen = await getTopUpRequest(ctx, key);
  const isPending = seen.state === 'open' || seen.state === 'processing';
  if (!isPending || seen.method !== 'card') return seen;
  await countAgainst(ctx, { key: `checks of top-ups of ${ctx.customerId}`, ...checkLimit });
  await settleTopUp(ctx, { merchantId: ctx.merchant.id, ...key });
  return getTopUpRequest(ctx, key);
}

/**
 * Cancels an unpaid top-up. If it was paid meanwhile, it is credited. Errors: `top_up_request_not_found`,
 * `service_unavailable`.
 */
export async function cancelTopUp(ctx: CustomerContext, key: TopUpKey): Promise<TopUpRequestView> {
  const { db, merchant, customerId, cardPayments } = ctx;
  const find = () => withMerchant(db, merchant.id, (tx) => findOwnRequest(tx, customerId, key.topUpRequestId));
  const { state, checkoutId, cardAccountId } = await find();
  if (state === 'open' && checkoutId !== null && cardPayments) {
    await cardPayments.on(cardAccountId).endCheckout(checkoutId);
    await settleTopUp(ctx, { merchantId: merchant.id, ...key }, { unpaid: 'cancelled' });
  } else if (state === 'open') {
    await close(ctx, merchant.id, key.topUpRequestId, 'cancelled');
  }
  return getTopUpRequest(ctx, key);
}

async function close({ db }: Services, merchantId: string, id: string, state: 'cancelled' | 'expired'): Promise<void> {
  await withMerchant(db, merchantId, async (tx) => {
    const seen = await findRequest(tx, id);
    if (!seen) return;
    const request = await lockRequest(tx, seen);
    // A request with a checkout may be paid at this moment, so it is not closed here.
    if (request.state === 'open' && request.checkoutId === null) await updateRequest(tx, request, { state });
  });
}

/**
 * Ends and settles all top-ups by card of a closed merchant. Returns how many are not settled: the bank has not decided.
 * What the payment service refuses to refund does not count. Errors: `service_unavailable`.
 */
export async function endTopUpsOf(services: Services, merchantId: string): Promise<number> {
  const { db, cardPayments } = services;
  const { id, state, method, checkoutId, cardAccountId, alertedAt } = topUpRequests;
  const isUnsettled = or(eq(state, 'open'), and(eq(state, 'refunding'), isNull(alertedAt)));
  const findUnsettled = () =>
    withMerchant(db, merchantId, (tx) =>
      tx.db
        .select({ topUpRequestId: id, state, checkoutId, cardAccountId })
        .from(topUpRequests)
        .where(and(eq(topUpRequests.merchantId, merchantId), inArray(method, ['card']), isUnsettled)),
    );
  for (const { topUpRequestId, ...open } of await findUnsettled()) {
    if (open.checkoutId === null) await close(services, merchantId, topUpRequestId, 'cancelled');
    else {
      if (open.state === 'open') await cardPayments?.on(open.cardAccountId).endCheckout(open.checkoutId);
      await settleTopUp(services, { merchantId, topUpRequestId }, { unpaid: 'cancelled' });
    }
  }
  return (await findUnsettled()).length;
}

const mostMs = 60 * 60_000;
/** A minute after the start, then after twice that time, and so on: the longer it lasts, the rarer, but once an hour. */
const nextCheck = (startedAt: Date, now: Date): Date =>
  new Date(now.getTime() + Math.min(now.getTime() - startedAt.getTime(), mostMs));
const batchSize = 500;

/**
 * Settles what was not reported, for all merchants: checks card payments, makes outstanding refunds, and ends expired
 * codes. A payment is looked up after a minute, then rarer. Refused refunds are repeated once an hour. Several runs may work
 * at once. If the payment service is down, it is not called again in this run. Errors: the first fault, after all other
 * top-ups.
 */
export async function settleOverdueTopUps(services: Services): Promise<void> {
  const at = services.systemClock.now();
  const refusedBefore = new Date(at.getTime() - retryRefusedMs);
  const { $rows, ...unsettled } = topUpsToCheck({ refusedBefore, at, most: batchSize });
  const overdue = await services.db.pool.select(unsettled).from($rows);
  let isAway = false;
  const settle = async ({ merchantId, topUpRequestId, method, createdAt }: (typeof overdue)[number]) => {
    if (method === 'counter') return close(services, merchantId, topUpRequestId, 'expired');
    if (isAway) return;
    // Before: if this one fails, the others still get their turn.
    await withMerchant(services.db, merchantId, (tx) =>
      updateRequest(tx, { id: topUpRequestId }, { checkAt: nextCheck(createdAt, at) }),
    );
    await settleTopUp(services, { merchantId, topUpRequestId }).catch((error) => {
      isAway = error instanceof DomainError && error.code === 'service_unavailable';
      throw error;
    });
  };
  await forEachInTurn(overdue, settle, services.stopping);
}
