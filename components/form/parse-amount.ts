/** What may stand between thousands, and before decimals: in English, and in most of Europe and Indonesia. */
const notations = [
  { group: "[,\\s'’]", point: '[.]' },
  { group: "[.\\s'’]", point: '[,]' },
];

/**
 * A decimal as people type it, in units of its last digit: with a point or a comma before its decimals, with thousands
 * apart or not. Null for what is no number, and for what could be two: `1,250` where there are three decimals.
 */
export function parseAmount(text: string, digits: number): number | null {
  const plain = text.normalize('NFKC').trim();
  const decimals = (point: string) => (digits > 0 ? `(${point}\\d{0,${digits}})?` : '');
  const isWritten = (whole: string, point: string) => new RegExp(`^-?${whole}${decimals(point)}$`).test(plain);
  const toUnits = (decimal: string) => Math.round(Number(decimal) * 10 ** digits);
  // As we show it ourselves.
  if (isWritten('\\d{1,12}', '[.]')) return toUnits(plain);
  const readings = notations
    .filter(({ group, point }) => isWritten(`(\\d{1,12}|[1-9]\\d{0,2}(${group}\\d{3}){1,3})`, point))
    .map(({ group }) => toUnits(plain.replace(new RegExp(group, 'g'), '').replace(',', '.')));
  const [amount = null, ...others] = new Set(readings);
  return others.length === 0 ? amount : null;
}

/** The same where decimals are shown behind a point: `12.500` may be meant for twelve and a half, and is refused. */
export function parseDecimal(text: string, digits: number): number | null {
  return digits < 3 && /^\s*-?\d{1,3}\.\d{3}\s*$/.test(text) ? null : parseAmount(text, digits);
}
