import { cookies, headers } from 'next/headers';
import { languages } from '@/components/messages/languages';
import type { Language } from '@/server/domain/kernel/context';

export const languageCookie = 'language';

const isLanguage = (value: string | undefined): value is Language => value !== undefined && value in languages;

/** The reader's language: chosen before, else the first of the browser's that the back office speaks. */
export async function officeLanguage(): Promise<Language> {
  const chosen = (await cookies()).get(languageCookie)?.value;
  if (isLanguage(chosen)) return chosen;
  const asked = ((await headers()).get('accept-language') ?? '')
    .split(',')
    .map((range) => range.split(/[-;]/)[0]?.trim().toLowerCase());
  return asked.find(isLanguage) ?? 'en';
}
