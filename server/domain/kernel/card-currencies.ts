/**
 * What cards take in each currency, by Stripe's pages (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts,
 * #zero-decimal and #three-decimal, as of September 2026). Pure, also used by phones.
 */
import { minorDigits } from './money';

const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** In these currencies, the last digit must be 0. */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * The smallest charges that are not one unit, in Stripe's units. A charge that Stripe converts to the account's currency has
 * to reach the minimum of that currency, too: only Stripe knows the rate, and refuses it.
 */
const minimums: Record<string, number> = {
  AED: 200,
  ARS: 50,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  COP: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  IDR: 50,
  ILS: 50,
  INR: 50,
  JPY: 50,
  KRW: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PHP: 50,
  PLN: 200,
  RON: 200,
  RUB: 50,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
  ZAR: 50,
};

/** The largest charges in Stripe's units: eight digits, and twelve of rupiah. */
const maximumOf = (currency: string) => (currency === 'IDR' ? 999_999_999_999 : 99_999_999);

const stripeDigits = (currency: string) => (zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2);

/** How many of Stripe's units one of our minor units is: 100 where we have no decimals and Stripe has two. */
export const stripeFactor = (currency: string): number => 10 ** (stripeDigits(currency) - minorDigits(currency));

/** What cards take, in our minor units. */
export interface CardLimits {
  /** Amounts are multiples of it. */
  step: number;
  minimum: number;
  maximum: number;
}

export function cardLimits(currency: string): CardLimits {
  const factor = stripeFactor(currency);
  const step = Math.max(1, Math.round(1 / factor), threeDecimal.has(currency) ? 10 : 1);
  const minimum = Math.max(step, Math.ceil((minimums[currency] ?? 1) / factor));
  return { step, minimum, maximum: Math.floor(maximumOf(currency) / factor) };
}

/** What an amount lacks to the next one that cards take: 5 for 3.325 dinars. */
export function roundingUp(amount: number, { step }: Pick<CardLimits, 'step'>): number {
  return (step - (amount % step)) % step;
}
