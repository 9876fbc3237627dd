import { randomInt } from 'node:crypto';
import { type Tx, withMerchant } from '@/db/client';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { throttle } from '../core/throttle';
import { checkNotBlocked, lockBalance, nothing, spendable } from '../ledger/balance';
import { selectOffersEverywhere } from '../stored-value/packages';
import { checkBalanceLimit, priceTopUp } from '../stored-value/rules';
import type { StoredValuePackage } from '../stored-value/schemas';
import type { CardPayments } from './card-payments';
import { type CustomerContext, type TopUpRequest, topUpRequestColumns, updateRequest } from './request';
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
  const { merchantId, sql } = tx;
  const { customerId, merchant } = ctx;
  const now = ctx.clock.now();
  // A code and a checkout are of the world outside, and last as long there, whatever the merchant's clock shows.
  const begunAt = ctx.systemClock.now();
  const [[held], [before = nothing], [same], offers] = await Promise.all([
    lockBalance(tx, customerId),
    spendable(tx, [customerId], now),
    sql<(TopUpRequest & { name: string })[]>`
      select r.*, p.name from (
        select ${sql.unsafe(topUpRequestColumns)} from top_up_requests
        where merchant_id = ${merchantId} and customer_id = ${customerId} and request_key = ${input.requestKey}
      ) r join stored_value_packages p on p.merchant_id = ${merchantId} and p.id = r."packageId"`,
    selectOffersEverywhere(tx, now),
  ]);
  if (same) return { request: same, name: same.name };
  checkNotBlocked(held);
  const key = `top-ups of ${customerId}`;
  await throttle({ db: tx, systemClock: ctx.systemClock }, { key, attempts: mostInAnHour, windowSeconds: 3600 });
  const offer = offers.find(({ packageId }) => packageId === input.packageId);
  if (!offer) throw new DomainError('package_not_found', 'There is no such stored-value package.');
  const { principal, bonus } = priceTopUp(offer, input.amount, merchant.currency);
  checkBalanceLimit(before.principal + before.bonus, principal + bonus, merchant);
  if (input.method === 'card' && !ctx.cardPayments?.takes(principal, merchant.currency)) throw notByCard();
  const row = {
    merchant_id: merchantId,
    id: newId(begunAt.getTime()),
    customer_id: customerId,
    request_key: input.requestKey,
    package_id: offer.packageId,
    principal,
    bonus,
    bonus_expires_in_days: offer.bonusExpiresInDays,
    method: input.method,
    created_at: begunAt,
    expires_at: new Date(begunAt.getTime() + lastsMs[input.method]),
  };
  const request = input.method === 'card' ? await insert(tx, row) : await insertWithCode(tx, row);
  return { request, name: offer.name };
}

async function insert({ sql }: Tx, row: object): Promise<TopUpRequest> {
  const [request] = await sql<[TopUpRequest]>`
    insert into top_up_requests ${sql(row)} returning ${sql.unsafe(topUpRequestColumns)}`;
  return request;
}

/** With a code that no open request of the merchant has. A customer has one code at a time: the last. */
async function insertWithCode({ merchantId, sql }: Tx, row: { customer_id: string }): Promise<TopUpRequest> {
  await sql`
    update top_up_requests set state = 'cancelled'
    where merchant_id = ${merchantId} and customer_id = ${row.customer_id} and method = 'counter' and state = 'open'`;
  for (let tries = 0; tries < mostCodes; tries++) {
    const counter_code = String(randomInt(1_000_000)).padStart(6, '0');
    const [request] = await sql<TopUpRequest[]>`
      insert into top_up_requests ${sql({ ...row, counter_code })}
      on conflict (merchant_id, counter_code) where state = 'open' do nothing
      returning ${sql.unsafe(topUpRequestColumns)}`;
    if (request) return request;
  }
  throw new DomainError('service_unavailable', 'Please try again in a moment.');
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
  const [kept] = await withMerchant(
    db,
    merchant.id,
    ({ sql }) => sql`
      update top_up_requests set checkout_id = ${checkoutId}, checkout_url = ${checkoutUrl}
      where merchant_id = ${merchant.id} and id = ${request.id} returning state`,
  );
  if (kept?.state === 'open') return checkoutUrl;
  // Given up meanwhile: nobody is to pay for it.
  await payments.endCheckout(checkoutId);
  return null;
}

const notByCard = () => new DomainError('card_payment_unavailable', 'This can not be paid by card here.');
