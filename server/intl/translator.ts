import { createTranslator } from 'next-intl';
import { messages } from '@/components/messages/messages';
import type { Language } from '@/server/domain/kernel/context';

/** The texts in a language, for what is no page: a mail, a file. */
export const translatorFor = (language: Language) =>
  createTranslator({ locale: language, messages: messages[language] });
