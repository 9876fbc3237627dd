import { createTranslator } from 'next-intl';
import { messages } from '@/components/messages/messages';
import type { Language } from '@/server/domain/kernel/context';

/** Returns the texts in a language, outside of pages: for mails and files. */
export const translatorFor = (language: Language) =>
  createTranslator({ locale: language, messages: messages[language] });
