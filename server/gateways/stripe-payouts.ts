/** What Stripe's payouts consist of, by merchant, for books. Only automatic payouts name their transactions. */
import Stripe from 'stripe';
import { fromStripeAmount } from './stripe-amount';
import { readSource } from './stripe-movements';

/** A merchant's part of a payout, in minor units of the account's currency. */
export interface PayoutPart {
  payoutId: string;
  /** When it reaches the bank. */
  arrivesAt: Date;
  /** As Stripe names it: `paid`, `pending`, `in_transit`, `canceled`, `failed`. */
  status: string;
  currency: string;
  /** Null for what is about no merchant, such as Stripe's own fees. */
  merchantId: string | null;
  payments: number;
  gross: number;
  fees: number;
  refunds: number;
  disputes: number;
  other: number;
  /** The sum of these, of which fees are negative. The parts of a payout add up to what the bank gets. */
  net: number;
}

export interface PayoutPeriod {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/**
 * Returns the parts of the payouts that arrive in a period, the oldest payout first. `merchantOf` finds the merchant of a payment that
 * names none itself.
 */
export async function listPayoutParts(
  stripe: Stripe,
  { from, to }: PayoutPeriod,
  merchantOf: (paymentId: string) => Promise<string | null>,
): Promise<PayoutPart[]> {
  const arrival_date = { gte: secondsOf(from), lt: secondsOf(to) };
  const parts: PayoutPart[][] = [];
  for await (const payout of stripe.payouts.list({ arrival_date, limit: 100 })) {
    parts.push(await partsOf(stripe, payout, merchantOf));
  }
  return parts.reverse().flat();
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);

async function partsOf(
  stripe: Stripe,
  payout: Stripe.Payout,
  merchantOf: (paymentId: string) => Promise<string | null>,
): Promise<PayoutPart[]> {
  const parts = new Map<string | null, PayoutPart>();
  for await (const one of stripe.balanceTransactions.list({ payout: payout.id, limit: 100, expand: ['data.source'] })) {
    if (one.type === 'payout') continue;
    const source = readSource(one);
    const merchantId = source ? (source.told?.merchantId ?? (await merchantOf(source.paymentId))) : null;
    const part = parts.get(merchantId) ?? blankPart(payout, merchantId);
    add(part, one);
    parts.set(merchantId, part);
  }
  return [...parts.values()];
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
export function connectStripe(key: string, base: string): Stripe {
  const { protocol, hostname: host, port } = new URL(base);
  const isPlain = protocol === 'http:';
  return new Stripe(key, {
    protocol: isPlain ? 'http' : 'https',
    host,
    port: port || (isPlain ? 80 : 443),
    maxNetworkRetries: 2,
    telemetry: false,
  });
}
