import { cookies, headers } from 'next/headers';
import { keptLanguage } from '@/components/keep-language';
import { languages } from '@/components/messages/languages';
import type { Language } from '@/server/domain/kernel/context';

const isLanguage = (value: string | undefined): value is Language => value !== undefined && value in languages;

/** Returns the reader's language: the one chosen earlier, or else the browser's first that the back office has. */
export async function officeLanguage(): Promise<Language> {
  const jar = await cookies();
  const chosen = keptLanguage((name) => jar.get(name)?.value, 'language');
  if (isLanguage(chosen)) return chosen;
  const asked = ((await headers()).get('accept-language') ?? '')
    .split(',')
    .map((range) => range.split(/[-;]/)[0]?.trim().toLowerCase());
  return asked.find(isLanguage) ?? 'en';
}
