/** Reads amounts as spreadsheets and older systems write them. Pure: every import uses this one reader. */

import { numberOf, plainCell } from './csv';
import { currencySigns } from './money';

export const decimalMarks = ['.', ','] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** What a column of amounts holds: money of a currency, or whole numbers (`currency` null), such as points. */
export interface AmountKind {
  currency: string | null;
  /** Decimal places: those of the currency's minor unit, or 0. */
  digits: number;
}

interface Written {
  whole: string;
  fraction: string;
  /** The decimal mark that the cell shows; null without a fraction. */
  mark: DecimalMark | null;
}

const grouped =
  "\\d{1,3}(?:(?<group>[., '’])\\d{3})(?:\\k<group>\\d{3})*|\\d{1,2}(?:(?<indian>,)\\d{2})+,\\d{3}|\\d{1,12}";
const form = new RegExp(`^(?<whole>${grouped})(?:(?<mark>[.,])(?<fraction>\\d+))?$`);
const lone = /^[1-9]\d{0,2}(?<separator>[.,])\d{3}$/;

/** Matches a currency before or after a number. Cached, because a file has many cells. */
const signPatterns = new Map<string, RegExp>();

function signPattern(currency: string): RegExp {
  const found = signPatterns.get(currency);
  if (found) return found;
  const sign = `(?:${currencySigns(currency)
    .map((one) => one.replace(/[$.]/g, '\\$&'))
    .join('|')})`;
  const pattern = new RegExp(`^${sign} ?|(?<=\\d) ?${sign}$`, 'iu');
  signPatterns.set(currency, pattern);
  return pattern;
}

/** Returns the cell without its currency. Another currency stays, so that the cell is no amount. */
function bare(cell: string, currency: string | null): string {
  const text = plainCell(cell).normalize('NFKC').replace(/\s+/g, ' ').trim();
  return currency === null ? text : text.replace(signPattern(currency), '');
}

/** The separator of a cell such as `1.250` or `1,250`, which may be a thousand or a decimal mark; null for other cells. */
const loneSeparator = (text: string) => (lone.exec(text)?.groups?.separator ?? null) as DecimalMark | null;

/** Splits a number whose notation leaves no doubt. Returns null for any other text. */
function split(text: string): Written | null {
  const single = /^(?<whole>\d{1,12})(?<mark>[.,])(?<fraction>\d+)$/.exec(text)?.groups;
  const { whole = '', group, indian, mark, fraction = '' } = single ?? form.exec(text)?.groups ?? {};
  const thousands = group ?? indian;
  if (whole === '' || (thousands !== undefined && thousands === mark)) return null;
  return { whole: whole.replace(/\D/g, ''), fraction, mark: (mark ?? null) as DecimalMark | null };
}

const otherMark = { '.': ',', ',': '.' } as const;

/**
 * Returns an amount in units of its last decimal place; null for text that is no amount from 0, or has more decimals.
 * `columnMark` is the column's decimal mark, and decides what `1.250` and `1,250` are. Without it, such a cell is `ambiguous`. A
 * number of a workbook is what it is.
 */
export function readAmountCell(
  cell: string,
  kind: AmountKind,
  columnMark: DecimalMark | null,
): number | 'ambiguous' | null {
  const text = bare(cell, kind.currency);
  const mark = numberOf(cell) === null ? columnMark : '.';
  const separator = loneSeparator(text);
  if (separator !== null && mark === null) return 'ambiguous';
  const written =
    separator !== null && separator !== mark ? { whole: text.replace(separator, ''), fraction: '' } : split(text);
  const decimals = written?.fraction.replace(/0+$/, '') ?? '';
  if (written === null || decimals.length > kind.digits) return null;
  return Number(written.whole + decimals.padEnd(kind.digits, '0'));
}

/** What the cells of a column say about its decimal mark. */
export class ColumnNotation {
  private readonly marks = new Set<DecimalMark>();
  private readonly lone = new Set<DecimalMark>();
  private writesThreeDecimals = false;

  constructor(private readonly kind: AmountKind) {}

  add(cell: string): void {
    if (numberOf(cell) !== null) return;
    const text = bare(cell, this.kind.currency);
    const separator = loneSeparator(text);
    if (separator !== null) this.lone.add(separator);
    const written = separator === null ? split(text) : null;
    if (written === null) return;
    const group = text.match(/^\d{1,3}([.,])\d{2,3}\1/)?.[1] as DecimalMark | undefined;
    if (written.mark !== null) this.marks.add(written.mark);
    else if (group !== undefined) this.marks.add(otherMark[group]);
    this.writesThreeDecimals ||= written.fraction.length === 3;
  }

  /**
   * Returns the column's decimal mark, by its rows or else by the merchant's country; null if a cell such as `1.250`
   * could be either, so that the merchant has to say.
   */
  decimalMark(country: string): DecimalMark | null {
    const local = decimalMarkOf(country);
    const [mark, ...others] = this.marks;
    const hasThree = this.kind.digits >= 3;
    if (this.lone.size === 0) return mark ?? local;
    if (others.length > 0) return null;
    if (mark !== undefined) return !this.lone.has(mark) || hasThree || this.writesThreeDecimals ? mark : null;
    // In a currency of three decimals, only the country's own decimal mark is beyond doubt.
    const expected = hasThree ? local : otherMark[local];
    return [...this.lone].every((one) => one === expected) ? local : null;
  }
}

/** The decimal mark of a country's main language. */
function decimalMarkOf(country: string): DecimalMark {
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const parts = new Intl.NumberFormat(`${language}-${country}`, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}
