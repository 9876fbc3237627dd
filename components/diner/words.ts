import type { CountedText } from '@/server/domain/kernel/texts';
import type bill from './words/en/bill.json';
import type card from './words/en/card.json';
import type loyalty from './words/en/loyalty.json';
import type prices from './words/en/prices.json';
import type table from './words/en/table.json';
import type topUp from './words/en/top-up.json';

/** The languages of diners' pages, by their own names. */
export const dinerLanguages = { en: 'English', zh: '简体中文', ja: '日本語', ms: 'Bahasa Melayu' } as const;
export type DinerLanguage = keyof typeof dinerLanguages;

type Words<Own> = { [Key in keyof Own]: Own[Key] extends string ? string : CountedText };
/** The texts of the bill, in one language. */
export type BillWords = Words<typeof bill>;
/**
 * The texts of a table's page. The bill's are loaded with it, but English ones that the language lacks come with the
 * page.
 */
export type TableWords = Words<typeof table> & { untranslatedBill?: Partial<BillWords> };
/** The additional texts of a table's card. */
export type CardWords = Words<typeof card>;
export type LoyaltyWords = Words<typeof loyalty>;
export type TopUpWords = Words<typeof topUp>;
export type PricesWords = Words<typeof prices>;
/** The names of the texts without a count. */
export type TextName<Own> = { [Key in keyof Own]-?: Own[Key] extends string ? Key : never }[keyof Own];

/** Set by the language switcher, for all diners' pages. */
export const languageCookie = 'diner_language';

/** Replaces each `{name}` in a text by its value. */
export function fillText(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Returns the plural form of a text for a count. */
export const formFor = (text: CountedText, count: number, language: DinerLanguage): string =>
  text[new Intl.PluralRules(language).select(count)] ?? text.other;

const supportedLanguage = (tag: string | null | undefined): DinerLanguage | undefined => {
  const language = tag?.trim().split(/[-_;]/)[0]?.toLowerCase();
  return language && Object.hasOwn(dinerLanguages, language) ? (language as DinerLanguage) : undefined;
};

interface Reader {
  /** The value of `languageCookie`. */
  chosen: string | null | undefined;
  acceptLanguage: string | null | undefined;
}

/** Returns the reader's choice, or else the phone's first language that we support; null if there is none. */
export function requestedLanguage({ chosen, acceptLanguage }: Reader): DinerLanguage | null {
  return supportedLanguage(chosen) ?? (acceptLanguage ?? '').split(',').map(supportedLanguage).find(Boolean) ?? null;
}

/** Returns the language of a page: the requested one, else the merchant's (`locale`), else English. */
export function dinerLanguage(reader: Reader, locale?: string): DinerLanguage {
  return requestedLanguage(reader) ?? supportedLanguage(locale) ?? 'en';
}
