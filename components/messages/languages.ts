import type { Language } from '@/server/domain/kernel/context';
import type { en } from './en';

/** The languages of the back office, by their own names. */
export const languages: Record<Language, string> = { en: 'English', zh: '简体中文', ja: '日本語', ms: 'Bahasa Melayu' };

export type Messages = typeof en;

declare module 'next-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
