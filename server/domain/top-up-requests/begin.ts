import { randomInt } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { nameOf } from '@/db/expressions';
import { only } from '@/db/queries';
import { storedValuePackages, topUpRequests } from '@/db/schema';
import type { CardPayments } from '../core/card-payments';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { say } from '../core/say';
import { throttle } from '../core/throttle';
import { checkNotBlocked, lockBalance, nothing, spendable } from '../ledger/balance';
import { selectOffersEverywhere } from '../stored-value/packages';
import { checkBalanceLimit, priceTopUp } from '../stored-value/rules';
import type { StoredValuePackage } from '../stored-value/schemas';
import { type CustomerContext, isRequest, type TopUpRequest, topUpRequestColumns, updateRequest } from './request';
import type { BeginTopUpInput } from './schemas';

const minuteMs = 60_000;
/** Stripe's checkouts last for half an hour at least, and one may be asked for again. */
const lastsMs = { card: 60 * minuteMs, counter: 30 * minuteMs };
const mostInAnHour = 20;
const mostCodes = 20;

export interface TopUpOffers {
  packages: StoredValuePackage[];
  methods: ('card' | 'counter')[];
}

/** What a customer can top up with from the phone, and how to pay for it. */
export async function listTopUpOffers(ctx: CustomerContext): Promise<TopUpOffers> {
  const packages = await withMerchant(ctx.db, ctx.merchant.id, (tx) => selectOffersEverywhere(tx, ctx.clock.now()));
  return { packages, methods: ctx.cardPayments ? ['card', 'counter'] : ['counter'] };
}

interface Begun {
  topUpRequestId: string;
  /** Where to pay by card; null for a counter, and where there is nothing to pay any more. */
  checkoutUrl: string | null;
}

/**
 * Begins a top-up: with a code for the counter, or a page of the payment service. Sent again with the same `requestKey`,
 * it is the same one. Errors: `package_not_found`, `invalid_request` for an amount that the package does not take,
 * `customer_blocked`, `balance_limit_exceeded`, `card_payment_unavailable`, `too_many_attempts`, `service_unavailable`.
 */
export async function beginTopUp(ctx: CustomerContext, input: BeginTopUpInput): Promise<Begun> {
  const payments = input.method === 'card' ? ctx.cardPayments : null;
  if (input.method === 'card' && !payments) throw notByCard();
  const { request, name } = await withMerchant(ctx.db, ctx.merchant.id, (tx) => recordRequest(tx, ctx, input));
  const topUpRequestId = request.id;
  if (!payments || request.method !== 'card' || request.state !== 'open' || request.checkoutUrl !== null) {
    return { topUpRequestId, checkoutUrl: request.state === 'open' ? request.checkoutUrl : null };
  }
  return { topUpRequestId, checkoutUrl: await openCheckout(ctx, payments, request, name) };
}

/** The new request, or the one that this `requestKey` began before. */
async function recordRequest(tx: Tx, ctx: CustomerContext, input: BeginTopUpInput) {
  const { merchantId, db } = tx;
  const { customerId, merchant } = ctx;
  const now = ctx.clock.now();
  // A code and a checkout are of the world outside, and last as long there, whatever the merchant's clock shows.
  const begunAt = ctx.systemClock.now();
  const [held, [before = nothing], [same], offers] = await Promise.all([
    lockBalance(tx, customerId),
    spendable(tx, [customerId], now),
    db
      .select({ request: topUpRequestColumns, name: storedValuePackages.name })
      .from(topUpRequests)
      .innerJoin(
        storedValuePackages,
        and(eq(storedValuePackages.merchantId, merchantId), eq(storedValuePackages.id, topUpRequests.packageId)),
      )
      .where(
        and(
          eq(topUpRequests.merchantId, merchantId),
          eq(topUpRequests.customerId, customerId),
          eq(topUpRequests.requestKey, input.requestKey),
        ),
      ),
    selectOffersEverywhere(tx, now),
  ]);
  if (same) return same;
  checkNotBlocked(only(held));
  const key = `top-ups of ${customerId}`;
  await throttle({ db, systemClock: ctx.systemClock }, { key, attempts: mostInAnHour, windowSeconds: 3600 });
  const offer = offers.find(({ packageId }) => packageId === input.packageId);
  if (!offer) throw new DomainError('package_not_found', say('packageNotFound'));
  const { principal, bonus } = priceTopUp(offer, input.amount, merchant.currency);
  checkBalanceLimit(before.principal + before.bonus, principal + bonus, merchant);
  if (input.method === 'card' && !ctx.cardPayments?.takes(principal, merchant.currency)) throw notByCard();
  const row = {
    merchantId,
    id: newId(begunAt.getTime()),
    customerId,
    requestKey: input.requestKey,
    packageId: offer.packageId,
    principal,
    bonus,
    bonusExpiresInDays: offer.bonusExpiresInDays,
    method: input.method,
    createdAt: begunAt,
    expiresAt: new Date(begunAt.getTime() + lastsMs[input.method]),
  };
  const request = input.method === 'card' ? await insert(tx, row) : await insertWithCode(tx, row);
  return { request, name: offer.name };
}

type NewRequest = typeof topUpRequests.$inferInsert;

const insert = async ({ db }: Tx, row: NewRequest): Promise<TopUpRequest> =>
  only(await db.insert(topUpRequests).values(row).returning(topUpRequestColumns));

/** With a code that no open request of the merchant has. A customer has one code at a time: the last. */
async function insertWithCode({ merchantId, db }: Tx, row: NewRequest): Promise<TopUpRequest> {
  await db
    .update(topUpRequests)
    .set({ state: 'cancelled' })
    .where(
      and(
        eq(topUpRequests.merchantId, merchantId),
        eq(topUpRequests.customerId, row.customerId),
        eq(topUpRequests.method, 'counter').inlineParams(),
        eq(topUpRequests.state, 'open').inlineParams(),
      ),
    );
  for (let tries = 0; tries < mostCodes; tries++) {
    const counterCode = String(randomInt(1_000_000)).padStart(6, '0');
    const [request] = await db
      .insert(topUpRequests)
      .values({ ...row, counterCode })
      .onConflictDoNothing({
        target: [topUpRequests.merchantId, topUpRequests.counterCode],
        where: sql`${nameOf(topUpRequests.state)} = 'open'`,
      })
      .returning(topUpRequestColumns);
    if (request) return request;
  }
  throw new DomainError('service_unavailable', say('inAMoment'));
}

async function openCheckout(
  ctx: CustomerContext,
  payments: CardPayments,
  request: TopUpRequest,
  name: string,
): Promise<string | null> {
  const { db, merchant, publicOrigin } = ctx;
  const opened = payments.createCheckout({
    merchantId: merchant.id,
    topUpRequestId: request.id,
    title: `${merchant.name}: ${name}`,
    amount: request.principal,
    currency: merchant.currency,
    returnUrl: `${publicOrigin}/loyalty/${merchant.id}/top-up/${request.id}`,
    expiresAt: request.expiresAt,
  });
  const { checkoutId, checkoutUrl } = await opened.catch(async (error) => {
    if (error instanceof DomainError && error.code === 'card_payment_unavailable') {
      await withMerchant(db, merchant.id, (tx) => updateRequest(tx, request, { state: 'failed' }));
    }
    throw error;
  });
  const [kept] = await withMerchant(db, merchant.id, (tx) =>
    tx.db
      .update(topUpRequests)
      .set({ checkoutId, checkoutUrl })
      .where(isRequest(tx, request.id))
      .returning({ state: topUpRequests.state }),
  );
  if (kept?.state === 'open') return checkoutUrl;
  // Given up meanwhile: nobody is to pay for it.
  await payments.endCheckout(checkoutId);
  return null;
}

const notByCard = () => new DomainError('card_payment_unavailable', say('notByCard'));
