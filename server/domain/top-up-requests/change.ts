/** What happens to a top-up after it was begun, by the customer or by the clock. */
import { withMerchant } from '@/db/client';
import { unsettledTopUps } from '@/db/functions';
import type { Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { DomainError } from '../core/errors';
import { throttle } from '../core/throttle';
import { type CustomerContext, findOwnRequest, findRequest, lockRequest, updateRequest } from './request';
import { settleTopUp } from './settle';
import { getTopUpRequest, type TopUpRequestView } from './view';

type Asked = { topUpRequestId: string };

const mostChecks = { attempts: 60, windowSeconds: 600 };

/**
 * Asks how the payment stands: the payer came back. Errors: `top_up_request_not_found`, `too_many_attempts`,
 * `service_unavailable`.
 */
export async function checkTopUp(ctx: CustomerContext, asked: Asked): Promise<TopUpRequestView> {
  const seen = await getTopUpRequest(ctx, asked);
  if (seen.state !== 'open' || seen.method !== 'card') return seen;
  await throttle(ctx, { key: `checks of top-ups of ${ctx.customerId}`, ...mostChecks });
  await settleTopUp(ctx, { merchantId: ctx.merchant.id, ...asked });
  return getTopUpRequest(ctx, asked);
}

/**
 * Gives up a top-up that is not paid; one that was paid meanwhile is credited. Errors: `top_up_request_not_found`,
 * `service_unavailable`.
 */
export async function cancelTopUp(ctx: CustomerContext, asked: Asked): Promise<TopUpRequestView> {
  const { db, merchant, customerId, cardPayments } = ctx;
  const find = () => withMerchant(db, merchant.id, (tx) => findOwnRequest(tx, customerId, asked.topUpRequestId));
  const { state, checkoutId } = await find();
  if (state === 'open' && checkoutId !== null && cardPayments) {
    await cardPayments.endCheckout(checkoutId);
    await settleTopUp(ctx, { merchantId: merchant.id, ...asked }, { unpaid: 'cancelled' });
  } else if (state === 'open') {
    await close(ctx, merchant.id, asked.topUpRequestId, 'cancelled');
  }
  return getTopUpRequest(ctx, asked);
}

async function close({ db }: Services, merchantId: string, id: string, state: 'cancelled' | 'expired'): Promise<void> {
  await withMerchant(db, merchantId, async (tx) => {
    const seen = await findRequest(tx, id);
    if (!seen) return;
    const request = await lockRequest(tx, seen);
    // One that may be paid by card meanwhile is not closed by us alone.
    if (request.state === 'open' && request.checkoutId === null) await updateRequest(tx, request, { state });
  });
}

/** A webhook or a return settles a payment long before. */
const patienceMs = 3 * 60_000;
const mostAtOnce = 500;

/**
 * Settles what nobody reported to us, for all merchants: asks after payments by card, pays back what is still to be,
 * and ends codes past their time. Several may run at once. Once the payment service is away, it is asked no more in
 * this round. Errors: the first fault, once all others are done.
 */
export async function settleOverdueTopUps(services: Services): Promise<void> {
  const now = services.systemClock.now();
  const before = new Date(now.getTime() - patienceMs);
  const { $rows, ...unsettled } = unsettledTopUps({ before, at: now, most: mostAtOnce });
  const overdue = await services.db.pool.select(unsettled).from($rows);
  let isAway = false;
  const settle = async ({ merchantId, topUpRequestId, method }: (typeof overdue)[number]) => {
    if (method === 'counter') return close(services, merchantId, topUpRequestId, 'expired');
    if (isAway) return;
    await settleTopUp(services, { merchantId, topUpRequestId }).catch((error) => {
      isAway = error instanceof DomainError && error.code === 'service_unavailable';
      throw error;
    });
  };
  await eachInTurn(overdue, settle, services.stopping);
}
