'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog';

/** While on, asks before a link or the browser leaves the page. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const t = useTranslations('common');
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);

  useEffect(() => {
    if (!isOn) return;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    const ask = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
      const isElsewhere = !link || link.target || link.hasAttribute('download') || event.metaKey || event.ctrlKey;
      if (isElsewhere || link.origin !== window.location.origin) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(`${link.pathname}${link.search}`);
    };
    window.addEventListener('beforeunload', stay);
    document.addEventListener('click', ask, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', stay);
      document.removeEventListener('click', ask, { capture: true });
    };
  }, [isOn]);

  return (
    <ConfirmDialog
      open={target !== null}
      title={t('leaveTitle')}
      confirmLabel={t('leave')}
      cancelLabel={t('stay')}
      onCancel={() => setTarget(null)}
      onConfirm={() => {
        if (target !== null) router.push(target);
        setTarget(null);
      }}
    >
      {t('leaveText')}
    </ConfirmDialog>
  );
}
