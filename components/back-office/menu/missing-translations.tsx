'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { MenuLanguage } from '@/server/domain/kernel/context';
import { Badge } from '../../ui/badge';
import { useMenuLanguages } from './translation-fields';

type Names = Partial<Record<MenuLanguage, { name: string }>>;

/** Returns a test for names that one of diners' languages lacks. */
export function useLacksTranslation() {
  const languages = useMenuLanguages();
  return ({ translations }: { translations: Names }) => languages.some((language) => !translations[language]?.name);
}

/** Marks a name that one of diners' languages lacks. */
export function TranslationBadge() {
  return <Badge tone="caution">{useTranslations('menu')('untranslated')}</Badge>;
}

/** How many names of a screen lack a translation, above its list. */
export function MissingTranslations({ children }: { children: ReactNode }) {
  return <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">{children}</div>;
}
