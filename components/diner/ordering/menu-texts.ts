/** Texts of a menu's page that the server formats. */
import { formatMoneyIn } from '@/server/domain/kernel/money';
import type { OpenTable } from '@/server/domain/qr-ordering';
import { pricesWords, tableWords } from '../dictionaries';
import { type PriceNote, priceNote } from '../price-note';
import { type DinerLanguage, fillText } from '../words';

/** Says what the prices include, or else their currency. */
export function noteOf(
  { merchant, taxRules }: Pick<OpenTable, 'merchant' | 'taxRules'>,
  language: DinerLanguage,
): PriceNote {
  const { text, subtotal } = priceNote(taxRules, language, pricesWords[language]);
  const currency = currencyNameIn(language, merchant.currency);
  return { text: text ?? fillText(tableWords[language].pricesIn, { currency }), subtotal };
}

/** The currency's name in the plural, as for an amount: `Singapore dollars`, `円`. */
function currencyNameIn(language: string, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** The menu's amounts in the merchant's format. */
export function pricesOf({ categories, merchant }: Pick<OpenTable, 'categories' | 'merchant'>): Record<number, string> {
  const { locale, currency } = merchant;
  const prices = categories.flatMap(({ items }) => items.map(({ price }) => price));
  return Object.fromEntries(prices.map((price) => [price, formatMoneyIn(locale, price, currency)]));
}
