'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { lacksTranslation } from '@/server/domain/kernel/missing-translations';
import { Badge } from '../../ui/badge';
import { useOffice } from '../office/office';

/** Returns a test for names that one of diners' languages lacks. */
export function useLacksTranslation() {
  const { merchant } = useOffice();
  return (named: Parameters<typeof lacksTranslation>[1]) => lacksTranslation(merchant, named);
}

/** Marks a name that one of diners' languages lacks. */
export function TranslationBadge() {
  return <Badge tone="caution">{useTranslations('menu')('untranslated')}</Badge>;
}

/** How many names of a screen lack a translation, above its list. */
export function MissingTranslations({ children }: { children: ReactNode }) {
  return <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">{children}</div>;
}
