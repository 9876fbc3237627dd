'use client';

import { Lock } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state';
import { useIsRole } from './office';

/** A screen that only owners and managers may work with: the others are told so. */
export function ManagersOnly({ children }: { children: ReactNode }) {
  const t = useTranslations('shell');
  if (useIsRole('owner', 'manager')) return children;
  return (
    <EmptyState icon={Lock} title={t('forbiddenTitle')}>
      {t('forbiddenText')}
    </EmptyState>
  );
}
