/** Converts amounts to Stripe's minor units, which differ from ours in some currencies. */
import { minorDigits } from '../domain/kernel/money';

const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** In these currencies, the last digit must be 0. */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Eight digits, and twelve of rupiah (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const most = (currency: string) => (currency === 'IDR' ? 999_999_999_999 : 99_999_999);

const stripeDigits = (currency: string) => (zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2);
const factor = (currency: string) => 10 ** (stripeDigits(currency) - minorDigits(currency));

/** Returns null for an amount that Stripe does not accept. */
export function toStripeAmount(amount: number, currency: string): number | null {
  const converted = amount * factor(currency);
  const isExact = Number.isInteger(converted) && (!threeDecimal.has(currency) || converted % 10 === 0);
  return isExact && converted <= most(currency) ? converted : null;
}

/** Returns our minor units, rounded down. */
export const fromStripeAmount = (amount: number, currency: string): number => Math.floor(amount / factor(currency));
