import type { Merchant } from './context';
import { formatCountIn, formatMoneyIn } from './money';
import { type Printer, printerOf } from './receipt-printer';
import { withEnglish } from './texts';
import en from './words/en/receipt.json' with { type: 'json' };
import ja from './words/ja/receipt.json' with { type: 'json' };
import ms from './words/ms/receipt.json' with { type: 'json' };
import zh from './words/zh/receipt.json' with { type: 'json' };

const columns = 40;

/** The words on a receipt, by the language of the merchant's locale. */
const wordsByLanguage: Record<string, typeof en> = withEnglish(en, { zh, ja, ms });
export type ReceiptWord = keyof typeof en;
export const receiptWords = Object.keys(en) as ReceiptWord[];
export type ReceiptRow = readonly [ReceiptWord, number | string | { count: number }];

/**
 * Formats a receipt as plain text of at most 40 columns, in the merchant's language and currency. The merchant's name
 * comes first, then a line for each amount (minor units), count or text, with its label at the left and its value at
 * the right. Printers with the language's code page have all its characters (`receipt-printer.ts`).
 */
export function formatReceipt(merchant: Merchant, rows: ReceiptRow[]): string {
  const language = merchant.locale.slice(0, 2);
  const dictionary = wordsByLanguage[language] ?? en;
  const printer = printerOf(language);
  const lines = [printer.clip(printer.print(merchant.name), columns)];
  for (const [word, value] of rows) {
    const right = formatValue(merchant, printer, value);
    const left = printer.clip(dictionary[word], columns - printer.width(right) - 1);
    lines.push((left + ' '.repeat(columns - printer.width(left) - printer.width(right)) + right).trimEnd());
  }
  return lines.join('\n');
}

function formatValue({ locale, currency }: Merchant, printer: Printer, value: ReceiptRow[1]): string {
  if (typeof value === 'string') return printer.print(value);
  // Our code pages have no Arabic or Indic digits.
  const numberingSystem = 'latn';
  if (typeof value !== 'number') return printer.print(formatCountIn(locale, value.count, { numberingSystem }));
  const money = printer.print(formatMoneyIn(locale, value, currency, { numberingSystem }));
  if (printer.canPrint(money)) return money;
  return printer.print(formatMoneyIn(locale, value, currency, { numberingSystem, currencyDisplay: 'code' }));
}
