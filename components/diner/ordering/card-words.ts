import { withEnglish } from '@/server/domain/kernel/texts';
import en from '../words/en/printed-card.json';
import ja from '../words/ja/printed-card.json';
import ms from '../words/ms/printed-card.json';
import zh from '../words/zh/printed-card.json';

/** The texts of a printed card, in the language of the merchant's diners. */
const wordsByLanguage: Record<string, typeof en> = withEnglish(en, { zh, ja, ms });

/** Returns the texts for a locale (BCP 47), or English for an unsupported language. */
export const cardWordsFor = (locale: string) => wordsByLanguage[locale.split('-')[0] ?? ''] ?? en;
