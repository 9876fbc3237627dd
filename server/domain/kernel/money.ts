/** Money is an integer in the currency's minor unit; these functions format it. */

/**
 * The ISO 4217 currencies whose minor unit is not a hundredth. Listed here because the data of `Intl` changes between
 * versions.
 */
const currenciesByDigits = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] as const;
const digitsByCurrency = new Map(
  currenciesByDigits.flatMap(([digits, currencies]) => currencies.split(' ').map((one) => [one, digits] as const)),
);
const formatters = new Map<string, Intl.NumberFormat>();

/** Returns the decimal places of the currency's minor unit: 2 for SGD, 0 for JPY. */
export const minorDigits = (currency: string): number => digitsByCurrency.get(currency) ?? 2;

/**
 * Currencies whose hundredths exist in ISO 4217 but not in daily life: those without decimals in Unicode's CLDR 48, and
 * those without decimals in both cash and prices. Listed here because the data of `Intl` changes.
 */
const wholeCurrencies = new Set(
  (
    'AFN ALL IRR LAK LBP MGA MMK PKR RSD SOS SYP TZS UZS YER ' + // digits="0"
    'AMD COP CRC HUF IDR MNT TWD'
  ) // cashDigits="0"
    .split(' '),
);

/**
 * Returns `Intl` options that format an amount with all decimal places. In `wholeCurrencies`, decimals are shown only
 * if they are not zero.
 */
export function currencyStyle(currency: string) {
  const digits = minorDigits(currency);
  return {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: wholeCurrencies.has(currency) ? 'stripIfInteger' : 'auto',
  } as const;
}

/** Returns how a currency is written beside an amount, longest first: `SGD`, `SG$`, `S$`, `$`. */
export function currencySigns(currency: string): string[] {
  const signOf = (currencyDisplay: 'narrowSymbol' | 'symbol') =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .flatMap(({ type, value }) => (type === 'currency' ? value : []));
  const [narrow = currency] = signOf('narrowSymbol');
  const prefixed = /^\p{Sc}$/u.test(narrow) ? [currency.slice(0, 2) + narrow, currency.slice(0, 1) + narrow] : [];
  const signs = [currency, ...prefixed, ...signOf('symbol'), narrow];
  return [...new Set(signs)].toSorted((a, b) => b.length - a.length);
}

/** Converts an amount to the major unit, as a number that a spreadsheet can add. */
export const toMajorUnits = (amountMinor: number, currency: string): number =>
  amountMinor / 10 ** minorDigits(currency);

/** Returns `basisPoints` (hundredths of a percent) of an amount, rounded down. Exact for every amount. */
export function percentageOf(amount: number, basisPoints: number): number {
  return Number((BigInt(amount) * BigInt(basisPoints)) / 10_000n);
}

/** Formats an amount independently of the locale: `12.00 SGD`, `1200 JPY`. */
export function formatMoney(amountMinor: number, currency: string): string {
  return `${toMajorUnits(amountMinor, currency).toFixed(minorDigits(currency))} ${currency}`;
}

/** For receipt printers: digits of their code page, and the currency's code if they lack its sign. */
interface PrintedNumber {
  numberingSystem?: 'latn';
  currencyDisplay?: 'code';
}

/** Formats an amount in the merchant's locale: `$12.00`, `￥1,200`, `−$12.00`. */
export function formatMoneyIn(locale: string, amountMinor: number, currency: string, printed?: PrintedNumber): string {
  const text = formatterOf(locale, currency, printed ?? {}).format(toMajorUnits(amountMinor, currency));
  return printed ? text : withMinus(text);
}

/** The one sign of what is below zero on screens: most locales of `Intl` write a hyphen. */
export const minus = '−';
export const withMinus = (text: string): string => text.replace('-', minus);

/** Formats a change with its sign: `+$12.50`, `−3`. */
export const formatSigned = (change: number, format: (value: number) => string): string =>
  `${change > 0 ? '+' : change < 0 ? minus : ''}${format(Math.abs(change))}`;

/** Formats a whole number in the merchant's locale: `99,700`. */
export const formatCountIn = (locale: string, count: number, printed: PrintedNumber = {}) =>
  formatterOf(locale, null, printed).format(count);

/** Cached, because creating one takes longer than a receipt may. */
function formatterOf(locale: string, currency: string | null, printed: PrintedNumber): Intl.NumberFormat {
  const key = `${locale} ${currency} ${printed.numberingSystem} ${printed.currencyDisplay}`;
  const found = formatters.get(key);
  if (found) return found;
  const style = currency === null ? {} : currencyStyle(currency);
  const format = new Intl.NumberFormat(locale, { ...style, ...printed });
  formatters.set(key, format);
  return format;
}
