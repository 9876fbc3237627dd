import type loyalty from './words/en/loyalty.json';
import type table from './words/en/table.json';
import type topUp from './words/en/top-up.json';

/** The languages that diners' pages speak, by their own names. */
export const dinerLanguages = { en: 'English', zh: '简体中文', ja: '日本語', ms: 'Bahasa Melayu' } as const;
export type DinerLanguage = keyof typeof dinerLanguages;

/** A text with a count, in each form that its language has for one: in English those of `one` and `other`. */
export type CountedText = { other: string } & { [Form in Intl.LDMLPluralRule]?: string };

type Words<Own> = { [Key in keyof Own]: Own[Key] extends string ? string : CountedText };
/** A page's own texts, in one language. */
export type TableWords = Words<typeof table>;
export type LoyaltyWords = Words<typeof loyalty>;
export type TopUpWords = Words<typeof topUp>;
/** The names of the texts without a count. */
export type TextName<Own> = { [Key in keyof Own]: Own[Key] extends string ? Key : never }[keyof Own];

/** Set by the switcher of languages, for all diners' pages. */
export const languageCookie = 'diner_language';

/** Puts `{name}`'s value into a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The form of a text for so many. */
export const formFor = (text: CountedText, count: number, language: DinerLanguage): string =>
  text[new Intl.PluralRules(language).select(count)] ?? text.other;

const spoken = (tag: string | null | undefined): DinerLanguage | undefined => {
  const language = tag?.trim().split(/[-_;]/)[0]?.toLowerCase();
  return language && Object.hasOwn(dinerLanguages, language) ? (language as DinerLanguage) : undefined;
};

interface Reader {
  /** The value of `languageCookie`. */
  chosen: string | null | undefined;
  acceptLanguage: string | null | undefined;
}

/** What the reader chose, else the phone's first language that we speak; null where that is none. */
export function askedLanguage({ chosen, acceptLanguage }: Reader): DinerLanguage | null {
  return spoken(chosen) ?? (acceptLanguage ?? '').split(',').map(spoken).find(Boolean) ?? null;
}

/** The language of a page: what was asked for, else the merchant's (`locale`), else English. */
export function dinerLanguage(reader: Reader, locale?: string): DinerLanguage {
  return askedLanguage(reader) ?? spoken(locale) ?? 'en';
}
