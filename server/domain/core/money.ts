/** Money is an integer count of the currency's minor unit; these turn it into words. */

/** The currencies of ISO 4217 whose minor unit is not a hundredth. Written out, for what `Intl` says changes with its version. */
const currenciesByDigits = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] as const;
const digitsByCurrency = new Map(
  currenciesByDigits.flatMap(([digits, currencies]) => currencies.split(' ').map((one) => [one, digits] as const)),
);
const formatters = new Map<string, Intl.NumberFormat>();

/** Decimal places of the currency's minor unit: 2 for SGD, 0 for JPY. */
export const minorDigits = (currency: string): number => digitsByCurrency.get(currency) ?? 2;

/** Options for `Intl` to write amounts of it, with all of its decimal places. */
export function currencyStyle(currency: string) {
  const digits = minorDigits(currency);
  return { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
}

/** An amount as a number of the currency: what a spreadsheet adds up. */
export const inMajorUnits = (amountMinor: number, currency: string): number =>
  amountMinor / 10 ** minorDigits(currency);

/** `basisPoints` are hundredths of a percent. Rounded down; exact for every amount of money. */
export function percentageOf(amount: number, basisPoints: number): number {
  return Number((BigInt(amount) * BigInt(basisPoints)) / 10_000n);
}

/** Plain and the same everywhere: `12.00 SGD`, `1200 JPY`. */
export function formatMoney(amountMinor: number, currency: string): string {
  return `${inMajorUnits(amountMinor, currency).toFixed(minorDigits(currency))} ${currency}`;
}

/** In the merchant's locale: `$12.00`, `￥1,200`. */
export function formatMoneyIn(locale: string, amountMinor: number, currency: string): string {
  const key = `${locale} ${currency}`;
  let format = formatters.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, currencyStyle(currency));
    formatters.set(key, format);
  }
  return format.format(inMajorUnits(amountMinor, currency));
}
