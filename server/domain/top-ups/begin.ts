import { randomInt } from 'node:crypto';
import { and, eq, gte, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { customers, storedValuePackages, topUpRequests } from '@/db/schema';
import { checkCardTopUp, LimitExceeded, reportLimit } from '../daily-limits';
import { startOfDay } from '../kernel/calendar';
import { type CardPayments, takingAccount } from '../kernel/card-payments';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { checkNotBlocked, loadSpendable, lockBalance, noValue } from '../ledger';
import { countAgainst } from '../limits';
import { checkBalanceLimit, priceTopUp, type StoredValuePackage, selectOffersEverywhere } from '../stored-value';
import {
  type CustomerContext,
  findBegun,
  findOpenCode,
  isRequest,
  type TopUpRequest,
  topUpRequestColumns,
  updateRequest,
} from './request';
import type { BeginTopUpInput } from './schemas';

const minuteMs = 60_000;
/** Stripe's checkouts last at least half an hour, and a phone may request one again. */
const lifetimeMs = { card: 60 * minuteMs, counter: 30 * minuteMs };
const maxPerHour = 20;
const maxCodeAttempts = 20;

export interface TopUpOffers {
  packages: StoredValuePackage[];
  methods: ('card' | 'counter')[];
  /** The customer's open code for the counter, which a new code replaces. */
  openCode: OpenTopUp | null;
  /** Payments by card that the customer has begun and not finished. They count towards limits while they can be paid. */
  begun: (OpenTopUp & { checkoutUrl: string | null })[];
}

interface OpenTopUp {
  topUpRequestId: string;
  amount: number;
  expiresAt: string;
}

/**
 * Lists what a customer can top up with from the phone, the payment methods, and the open code. Names are in `language`
 * if translated.
 */
export async function listTopUpOffers(ctx: CustomerContext, language?: string): Promise<TopUpOffers> {
  const at = ctx.systemClock.now();
  const [packages, [open], begun] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    Promise.all([
      selectOffersEverywhere(tx, ctx.clock.now(), language),
      findOpenCode(tx, ctx.customerId, at),
      findBegun(tx, ctx.customerId, at),
    ]),
  );
  return {
    packages,
    methods: takingAccount(ctx.cardPayments, ctx.merchant) ? ['card', 'counter'] : ['counter'],
    openCode: open ? viewOpen(open) : null,
    begun: begun.map((one) => ({ ...viewOpen(one), checkoutUrl: one.checkoutUrl })),
  };
}

const viewOpen = ({ id, principal, expiresAt }: TopUpRequest): OpenTopUp => ({
  topUpRequestId: id,
  amount: principal,
  expiresAt: expiresAt.toISOString(),
});

interface BegunTopUp {
  topUpRequestId: string;
  /** Where to pay by card; null at a counter, or if nothing is left to pay. */
  checkoutUrl: string | null;
}

/**
 * Starts a top-up with a code for the counter, or a page of the payment service. Repeating a `requestKey` returns the
 * same top-up. Errors: `package_not_found`, `invalid_request` for an amount that the package does not allow,
 * `counter_code_open` unless it is to be replaced, `customer_blocked`, `balance_limit_exceeded`, `limit_exceeded`,
 * `card_payment_unavailable`, `too_many_attempts`, `service_unavailable`.
 */
export async function beginTopUp(ctx: CustomerContext, input: BeginTopUpInput): Promise<BegunTopUp> {
  const { request, name } = await withMerchant(ctx.db, ctx.merchant.id, (tx) => recordRequest(tx, ctx, input)).catch(
    (error) => rethrowRefusal(ctx, error),
  );
  const topUpRequestId = request.id;
  if (!ctx.cardPayments || request.method !== 'card' || request.state !== 'open' || request.checkoutUrl !== null) {
    return { topUpRequestId, checkoutUrl: request.state === 'open' ? request.checkoutUrl : null };
  }
  return {
    topUpRequestId,
    checkoutUrl: await openCheckout(ctx, ctx.cardPayments.on(request.cardAccountId), request, name),
  };
}

/** Owners and managers hear of a limit that was reached. */
async function rethrowRefusal({ db, merchant, customerId, clock }: CustomerContext, error: unknown): Promise<never> {
  if (error instanceof LimitExceeded) {
    const occasion = { merchant, actor: { kind: 'diner', id: null }, customerId, now: clock.now() } as const;
    await withMerchant(db, merchant.id, (tx) => reportLimit(tx, occasion, error));
  }
  throw error;
}

/**
 * What the customer's card payments in progress will add, what those begun since `dayStart` have added, and when the customer
 * joined. Requires the balance's lock.
 */
async function loadCardTopUps({ merchantId, db }: Tx, customerId: string, dayStart: Date) {
  const { principal, bonus, method, state, createdAt } = topUpRequests;
  const sumOf = (condition: SQL | undefined) =>
    db
      .select({ sum: sql`coalesce(sum(${principal} + ${bonus}), 0)` })
      .from(topUpRequests)
      .where(
        and(
          eq(topUpRequests.merchantId, merchantId),
          eq(topUpRequests.customerId, customerId),
          eq(method, 'card').inlineParams(),
          condition,
        ),
      );
  const pending = sumOf(eq(state, 'open').inlineParams());
  const credited = sumOf(and(eq(state, 'credited').inlineParams(), gte(createdAt, dayStart)));
  const isCustomer = and(eq(customers.merchantId, merchantId), eq(customers.id, customerId));
  return only(
    await db
      .select({
        joinedAt: customers.joinedAt,
        pending: sql`(${pending})`.mapWith(Number),
        credited: sql`(${credited})`.mapWith(Number),
      })
      .from(customers)
      .where(isCustomer),
  );
}

/** Inserts the request, or finds the one with the same `requestKey`. */
async function recordRequest(tx: Tx, ctx: CustomerContext, input: BeginTopUpInput) {
  const { merchantId, db } = tx;
  const { customerId, merchant } = ctx;
  const now = ctx.clock.now();
  // Codes and checkouts are used outside, so they expire by the machine's clock, not the merchant's.
  const begunAt = ctx.systemClock.now();
  const [held, [before = noValue], [same], offers, [openCode]] = await Promise.all([
    lockBalance(tx, customerId),
    loadSpendable(tx, [customerId], now),
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
    findOpenCode(tx, customerId, begunAt),
  ]);
  if (same) return same;
  checkNotBlocked(only(held));
  if (input.method === 'counter' && openCode && !input.replacesCode) {
    throw new DomainError('counter_code_open', say('counterCodeOpen'));
  }
  const key = `top-ups of ${customerId}`;
  await countAgainst({ db, systemClock: ctx.systemClock }, { key, attempts: maxPerHour, windowSeconds: 3600 });
  const offer = offers.find(({ packageId }) => packageId === input.packageId);
  if (!offer) throw new DomainError('package_not_found', say('packageNotFound'));
  const { principal, bonus } = priceTopUp(offer, input.amount, merchant.currency);
  checkBalanceLimit(before.principal + before.bonus, principal + bonus, merchant);
  const account = input.method === 'card' ? takingAccount(ctx.cardPayments, merchant) : null;
  if (input.method === 'card') {
    if (!account?.payments.takes(principal, merchant.currency)) throw notByCard();
    const others = await loadCardTopUps(tx, customerId, startOfDay(begunAt, merchant));
    checkCardTopUp(merchant, only(held), { value: principal + bonus, ...others, now });
  }
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
    cardAccountId: account?.accountId,
    createdAt: begunAt,
    expiresAt: new Date(begunAt.getTime() + lifetimeMs[input.method]),
  };
  const request = input.method === 'card' ? await insert(tx, row) : await insertWithCode(tx, row);
  return { request, name: offer.name };
}

type NewRequest = typeof topUpRequests.$inferInsert;

const insert = async ({ db }: Tx, row: NewRequest): Promise<TopUpRequest> =>
  only(await db.insert(topUpRequests).values(row).returning(topUpRequestColumns));

/** Inserts with a code that no open request of the merchant has. A customer has one code at a time, the latest. */
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
  for (let tries = 0; tries < maxCodeAttempts; tries++) {
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
  const returnUrl = `${publicOrigin}/loyalty/${merchant.id}/top-up/${request.id}`;
  const opened = payments.createCheckout({
    merchantId: merchant.id,
    purpose: { kind: 'topUp', id: request.id },
    title: `${merchant.name}: ${name}`,
    amount: request.principal,
    currency: merchant.currency,
    paidUrl: `${returnUrl}?back=paid`,
    unpaidUrl: `${returnUrl}?back=unpaid`,
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
  // It was cancelled meanwhile, so no one may pay for it.
  await payments.endCheckout(checkoutId);
  return null;
}

const notByCard = () => new DomainError('card_payment_unavailable', say('notByCard'));
