/** Adds up Stripe's balance transactions by payment (https://docs.stripe.com/reports/balance-transaction-types). */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { MerchantPurpose, PaymentSums } from '../domain/kernel/card-payments';
import { fromStripeAmount } from './stripe-amount';
import { purposeIn } from './stripe-events';

/** A charge, a refund or a dispute, with its own amount: that of the transaction is in the account's currency. */
const source = z.object({
  amount: z.int(),
  currency: z.string(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
  metadata: z.unknown(),
});

interface Source {
  paymentId: string;
  /** In our minor units of its own currency. */
  amount: number;
  told: MerchantPurpose | null;
}

/** Reads what a transaction is about, whose source is expanded; null if it is about no payment. */
export function readSource(one: Stripe.BalanceTransaction): Source | null {
  const { data } = source.safeParse(one.source);
  if (!data) return null;
  const { payment_intent: paymentId, metadata, currency } = data;
  return { paymentId, amount: fromStripeAmount(data.amount, currency.toUpperCase()), told: purposeIn(metadata) };
}

/** What a type of transaction counts as. Payouts, fees and anything else are not about a payment. */
const kinds: Partial<Record<Stripe.BalanceTransaction.Type, { paid?: 1; refunded?: 1 | -1 }>> = {
  charge: { paid: 1 },
  payment: { paid: 1 },
  refund: { refunded: 1 },
  payment_refund: { refunded: 1 },
  refund_failure: { refunded: -1 },
};

export async function sumMovements(stripe: Stripe, since: Date): Promise<Map<string, PaymentSums>> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const sums = new Map<string, PaymentSums>();
  for await (const one of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })) {
    const kind = kinds[one.type];
    const isOfDispute = one.reporting_category.startsWith('dispute');
    const about = readSource(one);
    if (!about || (!kind && !isOfDispute)) continue;
    const { paymentId, amount, told } = about;
    const before = sums.get(paymentId);
    const at = new Date(one.created * 1000);
    sums.set(paymentId, {
      paid: (before?.paid ?? 0) + amount * (kind?.paid ?? 0),
      refunded: (before?.refunded ?? 0) + amount * (kind?.refunded ?? 0),
      isDisputed: isOfDispute || (before?.isDisputed ?? false),
      told: before?.told ?? told,
      lastAt: before && before.lastAt > at ? before.lastAt : at,
    });
  }
  return sums;
}
