import type { en } from './en';

/** The languages that the back office speaks, by their own names. */
export const languages = { en: 'English', zh: '简体中文' } as const;
export type Language = keyof typeof languages;

export type Messages = typeof en;

declare module 'next-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
