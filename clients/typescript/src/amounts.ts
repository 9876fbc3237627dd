/** Amounts are whole numbers of minor units: `1050` is 10.50 SGD. Finds mistakes before they are sent. */
import type { SubmitSaleRequest } from './schema.js';

export class AmountError extends Error {
  override name = 'AmountError';
}

/** The ISO 4217 currencies whose minor unit is not a hundredth. The data of `Intl` differs between versions. */
const currenciesByDigits: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

function minorDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new AmountError(`Not a currency code: ${currency}.`);
  const [digits] = Object.entries(currenciesByDigits).find(([, codes]) => codes.includes(currency)) ?? [2];
  return Number(digits);
}

/**
 * Converts a decimal amount such as `10.50` to minor units, exactly. Takes text, because `8.95 * 100` is not 895.
 * Errors: `AmountError` if the text is not an amount, or has more decimals than the currency.
 */
export function toMinorUnits(amount: string, currency: string): number {
  const digits = minorDigits(currency);
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new AmountError(`Not an amount: ${amount}. Write 10.50.`);
  if (fraction.length > digits)
    throw new AmountError(`${amount} has more decimals than ${currency}, which has ${digits}.`);
  const minor = Number(`${sign}${whole}${fraction.padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(minor)) throw new AmountError(`${amount} is too large.`);
  // Not -0.
  return minor + 0;
}

/** Checks that every number in a body is whole, except quantities and tax rates. Errors: `AmountError`, which names the field. */
export function checkNumbers(body: unknown, path = 'body'): void {
  if (typeof body === 'number') {
    const isQuantity = path.endsWith('.quantity') || path.endsWith('.rate');
    if (isQuantity ? Number.isFinite(body) : Number.isSafeInteger(body)) return;
    throw new AmountError(
      isQuantity
        ? `${path} is not a number.`
        : `${path} is ${body}. Send minor units as a whole number: 1050 for 10.50.`,
    );
  }
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) checkNumbers(value, `${path}.${name}`);
}

/** Checks the sums of a sale as the service does. Errors: `AmountError`, which names each sum that is off. */
export function checkSale(sale: SubmitSaleRequest): void {
  checkNumbers(sale);
  const { lines, payments, subtotal, discount, serviceCharge, tax, rounding = 0, total } = sale;
  const sums: [string, number, number][] = [
    ['lines', sum(lines), subtotal],
    [
      'subtotal - discount + serviceCharge + tax + rounding',
      subtotal - discount + serviceCharge + tax + rounding,
      total,
    ],
    ['payments', sum(payments), total],
  ];
  const wrong = sums.filter(([, found, expected]) => found !== expected);
  if (wrong.length === 0) return;
  const list = wrong.map(([what, found, expected]) => `${what}: ${found}, not ${expected}`);
  throw new AmountError(`The sums of the sale do not add up. ${list.join('; ')}.`);
}

const sum = (parts: { amount: number }[]) => parts.reduce((total, { amount }) => total + amount, 0);
