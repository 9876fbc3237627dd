'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { lacksTranslation } from '@/server/domain/kernel/missing-translations';
import { Badge } from '../../ui/badge';
import { useOffice } from '../office/office';

/** Returns a test for names without a translation into one of the diners' languages. */
export function useLacksTranslation() {
  const { merchant } = useOffice();
  return (named: Parameters<typeof lacksTranslation>[1]) => lacksTranslation(merchant, named);
}

/** Marks a name without a translation into one of the diners' languages. */
export function TranslationBadge() {
  return <Badge tone="caution">{useTranslations('menu')('untranslated')}</Badge>;
}

/** Says above a list how many of its names lack a translation. */
export function MissingTranslations({ children }: { children: ReactNode }) {
  return <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">{children}</div>;
}
