/** Thousands and decimal separators: those of English, and those of most of Europe and Indonesia. */
const notations = [
  { group: "[,\\s'’]", point: '[.]' },
  { group: "[.\\s'’]", point: '[,]' },
];

/**
 * Parses a typed decimal into units of its last digit. Accepts a point or comma as the decimal separator, and thousands
 * separators. Returns null for text that is not a number or is ambiguous: `1,250` with three decimals.
 */
export function parseAmount(text: string, digits: number): number | null {
  const plain = text.normalize('NFKC').trim();
  const decimals = (point: string) => (digits > 0 ? `(${point}\\d{0,${digits}})?` : '');
  const isWritten = (whole: string, point: string) => new RegExp(`^-?${whole}${decimals(point)}$`).test(plain);
  const toUnits = (decimal: string) => Math.round(Number(decimal) * 10 ** digits);
  // Our own display format.
  if (isWritten('\\d{1,12}', '[.]')) return toUnits(plain);
  const readings = notations
    .filter(({ group, point }) => isWritten(`(\\d{1,12}|[1-9]\\d{0,2}(${group}\\d{3}){1,3})`, point))
    .map(({ group }) => toUnits(plain.replace(new RegExp(group, 'g'), '').replace(',', '.')));
  const [amount = null, ...others] = new Set(readings);
  return others.length === 0 ? amount : null;
}

/**
 * Removes a currency's code or symbol before or after an amount: `S$50`, `$50`, `50 SGD`. Another currency stays, so
 * that the text is no valid amount.
 */
export function withoutCurrency(text: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat('en', style).formatToParts(0);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const escaped = symbol.replace(/[^\p{L}]/gu, '\\$&');
  const [one, two] = [currency.slice(0, 1), currency.slice(0, 2)];
  const sign = `(?:${currency}|(?:${two}|${one})?${escaped})`;
  const plain = text.normalize('NFKC').trim();
  return plain.replace(new RegExp(`^(-?)\\s*${sign}\\s*|\\s*${sign}$`, 'i'), '$1');
}

/**
 * Like `parseAmount`, for places that show decimals after a point. `12.500` could mean twelve and a half, and is
 * refused.
 */
export function parseDecimal(text: string, digits: number): number | null {
  return digits < 3 && /^\s*-?\d{1,3}\.\d{3}\s*$/.test(text) ? null : parseAmount(text, digits);
}
