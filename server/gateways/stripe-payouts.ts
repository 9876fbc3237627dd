/**
 * What Stripe's payouts consist of, by merchant, for books. Payouts that somebody starts by hand, instant ones among them, are
 * left out: Stripe tells the transactions of automatic ones only (https://docs.stripe.com/reports/payout-reconciliation).
 */
import Stripe from 'stripe';
import { say } from '@/server/domain/kernel/say';
import type { PayoutOwner, PayoutPart, PayoutPeriod } from '../domain/kernel/card-payments';
import { DomainError } from '../domain/kernel/errors';
import { fromStripeAmount } from './stripe-amount';
import { readSource } from './stripe-movements';

/** How long a reader waits at most. */
interface Bounds {
  until: number;
  /** Of each request. */
  options: Stripe.RequestOptions;
}

/** For somebody who waits for the answer: half a minute in all. */
export const boundsOfReader = (): Bounds => ({
  until: Date.now() + 20_000,
  options: { timeout: 8_000, maxNetworkRetries: 0 },
});

/** Payouts whose transactions are read at the same time. */
const readAtOnce = 4;

/**
 * Returns the parts of the payouts that arrive in a period, the oldest payout first. Errors: `service_unavailable` at the end of the bounds.
 */
export async function listPayoutParts(
  stripe: Stripe,
  { from, to }: PayoutPeriod,
  owner: PayoutOwner,
  bounds?: Bounds,
): Promise<PayoutPart[]> {
  const arrival_date = { gte: secondsOf(from), lt: secondsOf(to) };
  const payouts: Stripe.Payout[] = [];
  for await (const payout of stripe.payouts.list({ arrival_date, limit: 100 }, bounds?.options))
    if (payout.automatic) payouts.push(payout);
  payouts.reverse();
  const parts: PayoutPart[][] = [];
  for (let at = 0; at < payouts.length; at += readAtOnce) {
    const next = payouts.slice(at, at + readAtOnce);
    parts.push(...(await Promise.all(next.map((payout) => partsOf(stripe, payout, owner, bounds)))));
  }
  return parts.flat();
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);

async function partsOf(
  stripe: Stripe,
  payout: Stripe.Payout,
  owner: PayoutOwner,
  bounds?: Bounds,
): Promise<PayoutPart[]> {
  const parts = new Map<string | null, PayoutPart>();
  const wanted = { payout: payout.id, limit: 100, expand: ['data.source'] };
  for await (const one of stripe.balanceTransactions.list(wanted, bounds?.options)) {
    if (bounds && Date.now() > bounds.until) throw new DomainError('service_unavailable', say('payoutsTakeLong'));
    if (one.type === 'payout') continue;
    const merchantId = await merchantOf(one, owner);
    const part = parts.get(merchantId) ?? blankPart(payout, merchantId);
    add(part, one);
    parts.set(merchantId, part);
  }
  return [...parts.values()];
}

async function merchantOf(one: Stripe.BalanceTransaction, owner: PayoutOwner): Promise<string | null> {
  if (typeof owner === 'string') return owner;
  const source = readSource(one);
  return source ? (source.told?.merchantId ?? owner(source.paymentId)) : null;
}

const blankPart = ({ id, arrival_date, status, currency }: Stripe.Payout, merchantId: string | null): PayoutPart => ({
  payoutId: id,
  arrivesAt: new Date(arrival_date * 1000),
  status,
  currency: currency.toUpperCase(),
  merchantId,
  payments: 0,
  gross: 0,
  fees: 0,
  refunds: 0,
  disputes: 0,
  other: 0,
  net: 0,
});

function add(part: PayoutPart, { type, reporting_category, ...one }: Stripe.BalanceTransaction): void {
  const convert = (amount: number) => fromStripeAmount(amount, part.currency);
  const isCharge = type === 'charge' || type === 'payment';
  if (isCharge) part.payments += 1;
  part[columnOf(isCharge, type, reporting_category)] += convert(one.amount);
  part.fees -= convert(one.fee);
  part.net += convert(one.net);
}

function columnOf(isCharge: boolean, type: string, category: string): 'gross' | 'refunds' | 'disputes' | 'other' {
  if (isCharge) return 'gross';
  if (type.includes('refund')) return 'refunds';
  return category.startsWith('dispute') ? 'disputes' : 'other';
}

/** Connects with a secret key, for commands. */
export function connectStripe(key: string, base: string, stripeAccount: string | null): Stripe {
  const { protocol, hostname: host, port } = new URL(base);
  const isPlain = protocol === 'http:';
  return new Stripe(key, {
    ...(stripeAccount === null ? {} : { stripeAccount }),
    protocol: isPlain ? 'http' : 'https',
    host,
    port: port || (isPlain ? 80 : 443),
    maxNetworkRetries: 2,
    telemetry: false,
  });
}
