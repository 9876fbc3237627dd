/** Texts in diners' languages. */
import { z } from 'zod';
import { type MenuLanguage, menuLanguages } from './context';
import { problem } from './say';

/** Joins lines and collapses spaces, because pasted text may have both. */
export const oneLine = (value: string) => value.replaceAll(/\s+/g, ' ').trim();

/** A text of one line, which may be empty. */
export const translatedText = (max: number) =>
  z
    .string()
    .overwrite(oneLine)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, problem('controlCharacters'));

const language = z.enum(menuLanguages);

/** Drops empty texts, and languages without any text. */
const dropEmptyTexts = <Translations extends Partial<Record<MenuLanguage, Record<string, string>>>>(
  translations: Translations,
) =>
  Object.fromEntries(
    Object.entries(translations).filter(([, texts]) => Object.values(texts).some(Boolean)),
  ) as Translations;

export const nameTranslations = z
  .partialRecord(language, z.strictObject({ name: translatedText(80) }))
  .overwrite(dropEmptyTexts);
export const itemTranslations = z
  .partialRecord(language, z.strictObject({ name: translatedText(80), description: translatedText(500) }))
  .overwrite(dropEmptyTexts);
