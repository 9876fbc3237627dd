import type { Merchant } from './context';
import { formatCountIn, formatMoneyIn } from './money';
import { withEnglish } from './texts';
import en from './words/en/receipt.json';
import ja from './words/ja/receipt.json';
import ms from './words/ms/receipt.json';
import zh from './words/zh/receipt.json';

const columns = 40;

/** The words on a receipt, by the language of the merchant's locale. */
const words: Record<string, typeof en> = withEnglish(en, { zh, ja, ms });
export type ReceiptWord = keyof typeof en;
export type ReceiptRow = readonly [ReceiptWord, number | string | { count: number }];

/**
 * Formats a receipt as plain text of at most 40 columns, in the merchant's language and currency. The merchant's name
 * comes first, then a line per amount (minor units), count or text, with the label at the left and the value at the right.
 */
export function receipt(merchant: Merchant, rows: ReceiptRow[]): string {
  const dictionary = words[merchant.locale.slice(0, 2)] ?? en;
  const lines = [clip(merchant.name, columns)];
  for (const [word, value] of rows) {
    const right = formatValue(merchant, value);
    const left = clip(dictionary[word], columns - width(right) - 1);
    lines.push(left + ' '.repeat(columns - width(left) - width(right)) + right);
  }
  return lines.join('\n');
}

function formatValue({ locale, currency }: Merchant, value: ReceiptRow[1]): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatMoneyIn(locale, value, currency) : formatCountIn(locale, value.count);
}

/** East Asian wide characters take two columns on a receipt printer. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function width(text: string): number {
  let total = 0;
  for (const char of text) total += wide.test(char) || char.length > 1 ? 2 : 1;
  return total;
}

function clip(text: string, max: number): string {
  let total = 0;
  let out = '';
  for (const char of text) {
    total += width(char);
    if (total > max) break;
    out += char;
  }
  return out;
}
