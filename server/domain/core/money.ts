/** Money is an integer count of the currency's minor unit; these turn it into words. */

const digitsByCurrency = new Map<string, number>();
const formatters = new Map<string, Intl.NumberFormat>();

/** Decimal places of the currency's minor unit: 2 for SGD, 0 for JPY. */
export function minorDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** Plain and the same everywhere: `12.00 SGD`, `1200 JPY`. */
export function formatMoney(amountMinor: number, currency: string): string {
  const digits = minorDigits(currency);
  return `${(amountMinor / 10 ** digits).toFixed(digits)} ${currency}`;
}

/** In the merchant's locale: `$12.00`, `￥1,200`. */
export function formatMoneyIn(locale: string, amountMinor: number, currency: string): string {
  const key = `${locale} ${currency}`;
  let format = formatters.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    formatters.set(key, format);
  }
  return format.format(amountMinor / 10 ** minorDigits(currency));
}
