/** Texts in the languages of our readers. English is the source, and stands in for what another language lacks. */
import type { Language } from './context';

/** A text with a count, in each plural form of its language: `one` and `other` in English. */
export type CountedText = { other: string } & { [Form in Intl.LDMLPluralRule]?: string };

type Translated = Exclude<Language, 'en'>;
/** `never` for each key that English lacks. */
type OnlyKeysOf<English, Texts> = {
  [Key in keyof Texts]: Key extends keyof English
    ? Texts[Key] extends string
      ? string
      : OnlyKeysOf<English[Key], Texts[Key]>
    : never;
};

/** Returns complete texts for each language: English fills what a translation lacks. A key that English lacks does not compile. */
export function withEnglish<English extends object, Others extends Record<Translated, object>>(
  english: English,
  others: Others & { [Language in keyof Others]: OnlyKeysOf<English, Others[Language]> },
): Record<Language, English> {
  const { zh, ja, ms } = others;
  return { en: english, zh: complete(zh, english), ja: complete(ja, english), ms: complete(ms, english) };
}

/** Returns the English texts that a translation lacks, for pages that load their texts separately. */
export const withoutTranslation = <English extends object>(english: English, texts: object): Partial<English> =>
  Object.fromEntries(Object.entries(english).filter(([key]) => !(key in texts))) as Partial<English>;

function complete<English extends object>(texts: object, english: English): English {
  const own = texts as Record<string, unknown>;
  const filled = Object.entries(english).map(([key, text]) => {
    const translated = own[key] ?? text;
    return [key, isText(text) ? translated : complete(translated as object, text)];
  });
  return Object.fromEntries(filled);
}

const pluralForms = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);
/** False for a group of texts. */
const isText = (value: string | object): value is string | CountedText =>
  typeof value === 'string' || Object.keys(value).every((key) => pluralForms.has(key));

/** All texts in groups within groups, by their path: `types.order.placed`. */
export function flattenTexts(texts: object, path = ''): [path: string, text: string | CountedText][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    isText(value) ? [[path + key, value] as [string, string]] : flattenTexts(value, `${path}${key}.`),
  );
}
