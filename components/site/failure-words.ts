import type { Language } from '@/server/domain/kernel/context';
import { withEnglish } from '@/server/domain/kernel/texts';
import en from '../messages/en/failure.json';
import ja from '../messages/ja/failure.json';
import ms from '../messages/ms/failure.json';
import zh from '../messages/zh/failure.json';

/** The texts of failed pages, in all languages, because finding the reader's language may be what failed. */
export const failureWords = withEnglish(en, { zh, ja, ms });

/** The language of the page that failed, or one that the browser prefers. */
export function languageOfFailure(): Language {
  if (typeof document === 'undefined') return 'en';
  const tags = [document.documentElement.lang, ...navigator.languages].map((tag) => tag.split('-')[0] ?? '');
  return tags.find((tag): tag is Language => tag in failureWords) ?? 'en';
}
