'use client';

import { Lock } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/ui/empty-state';
import { useIsGeneralManager, useOffice } from './office';
import { isOpenTo, isWithin, sectionGroups } from './sections';

/** A screen only for owners and managers of all stores. Others see a notice. */
export function ManagersOnly({ children }: { children: ReactNode }) {
  return useIsGeneralManager() ? children : <NotForRole />;
}

/** A section's screen, if the person's role may open it. Otherwise a notice. */
export function OpenSection({ children }: { children: ReactNode }) {
  const { person } = useOffice();
  const path = usePathname();
  const section = sectionGroups.flatMap(({ sections }) => sections).find((one) => isWithin(path, one));
  return section && !isOpenTo(person, section) ? <NotForRole /> : children;
}

function NotForRole() {
  const t = useTranslations('shell');
  return (
    <div role="alert">
      <EmptyState icon={Lock} title={t('forbiddenTitle')}>
        {t('forbiddenText')}
      </EmptyState>
    </div>
  );
}
