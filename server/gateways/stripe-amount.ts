/** Converts amounts to Stripe's minor units, which differ from ours in some currencies. */
import { cardLimits, stripeFactor } from '../domain/kernel/card-currencies';

/** Returns null for an amount that Stripe does not accept as a charge. */
export function toStripeAmount(amount: number, currency: string): number | null {
  const { step, minimum, maximum } = cardLimits(currency);
  return amount % step === 0 && amount >= minimum && amount <= maximum ? convert(amount, currency) : null;
}

/** Returns an amount to refund, which can be less than a charge. */
export const toStripeRefund = (amount: number, currency: string): number => Math.ceil(convert(amount, currency));

/** Rounded, because factors below one are not exact. */
const convert = (amount: number, currency: string) => Number((amount * stripeFactor(currency)).toFixed(6));

/** Returns our minor units, rounded down. */
export const fromStripeAmount = (amount: number, currency: string): number =>
  Math.floor(Number((amount / stripeFactor(currency)).toFixed(6)));
