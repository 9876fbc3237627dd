'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog';

type Go = () => void;

/** One per form with unsaved changes. */
const guards = new Set<(go: Go) => void>();

/**
 * Calls `go` to leave the page, as soon as nothing would be lost or the person has confirmed. For navigation other than
 * links.
 */
export function leavePage(go: Go): void {
  const [ask = (now: Go) => now()] = guards;
  ask(go);
}

/**
 * Asks before the browser's Back or Forward shows another of our pages, if the browser has the Navigation API. Pressed
 * twice in a row, it leaves, because no browser lets a page trap a person.
 */
function guardBack(askAbout: (go: Go) => void): () => void {
  if (!('navigation' in window)) return () => {};
  const { navigation } = window;
  let isLeaving = false;
  const ask = (event: NavigateEvent) => {
    const { destination, navigationType, cancelable } = event;
    const isOtherPage = new URL(destination.url).pathname !== window.location.pathname;
    // Before a full page load, the browser itself asks.
    if (isLeaving || navigationType !== 'traverse' || !cancelable || !destination.sameDocument || !isOtherPage) return;
    event.preventDefault();
    // No other form should ask either.
    event.stopImmediatePropagation();
    askAbout(() => {
      isLeaving = true;
      navigation.traverseTo(destination.key);
    });
  };
  navigation.addEventListener('navigate', ask);
  return () => navigation.removeEventListener('navigate', ask);
}

/** While on, asks before a link, `leavePage` or the browser leaves the page. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const t = useTranslations('common');
  const router = useRouter();
  const [target, setTarget] = useState<{ go: Go } | null>(null);

  useEffect(() => {
    if (!isOn) return;
    const askAbout = (go: Go) => setTarget({ go });
    guards.add(askAbout);
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    const ask = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
      const isElsewhere = !link || link.target || link.hasAttribute('download');
      if (isElsewhere || event.metaKey || event.ctrlKey || event.shiftKey) return;
      if (link.origin !== window.location.origin) return;
      event.preventDefault();
      // No other form should ask either.
      event.stopImmediatePropagation();
      const address = `${link.pathname}${link.search}`;
      askAbout(() => router.push(address));
    };
    const unguardBack = guardBack(askAbout);
    window.addEventListener('beforeunload', stay);
    document.addEventListener('click', ask, { capture: true });
    return () => {
      guards.delete(askAbout);
      unguardBack();
      window.removeEventListener('beforeunload', stay);
      document.removeEventListener('click', ask, { capture: true });
    };
  }, [isOn, router]);

  return (
    <ConfirmDialog
      open={target !== null}
      title={t('leaveTitle')}
      confirmLabel={t('leave')}
      cancelLabel={t('stay')}
      isDangerous
      onCancel={() => setTarget(null)}
      onConfirm={() => {
        target?.go();
        setTarget(null);
      }}
    >
      {t('leaveText')}
    </ConfirmDialog>
  );
}
