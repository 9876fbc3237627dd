import type { TaxRules } from '@/server/domain/merchants';
import { type DinerLanguage, fillText, type PricesWords } from './words';

export interface PriceNote {
  /** Says what the prices include or exclude; null if the merchant says nothing about it. */
  text: string | null;
  /** The word for a sum to which something is added later; null for a total. */
  subtotal: string | null;
}

/** Says, on the server, what a merchant's prices include. */
export function priceNote(rules: TaxRules, language: DinerLanguage, words: PricesWords): PriceNote {
  const { taxName, taxBasisPoints, taxIncluded, serviceBasisPoints, serviceIncluded } = rules;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const values = {
    tax: taxName ?? words.tax,
    taxRate: percent.format((taxBasisPoints ?? 0) / 10_000),
    serviceRate: percent.format((serviceBasisPoints ?? 0) / 10_000),
  };
  const tax = taxBasisPoints === null ? null : taxIncluded;
  const service = serviceBasisPoints === null ? null : serviceIncluded;
  const texts =
    tax !== null && tax === service
      ? [tax ? words.bothIn : words.bothOut]
      : [
          ...(tax === null ? [] : [tax ? words.taxIn : words.taxOut]),
          ...(service === null ? [] : [service ? words.serviceIn : words.serviceOut]),
        ];
  return {
    text: texts.length === 0 ? null : texts.map((text) => fillText(text, values)).join(' '),
    subtotal: tax === false || service === false ? words.subtotal : null,
  };
}
