'use client';

import { Dialog as Primitive } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { iconButtonLook } from './icon-button';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Set where a stray press outside would lose something. */
  staysOpen?: boolean;
  children: ReactNode;
}

/** A small task over the page. Escape and a press outside close it. */
export function Dialog({ open, onClose, title, staysOpen, children }: DialogProps) {
  const t = useTranslations('common');
  return (
    <Primitive.Root open={open} disablePointerDismissal={staysOpen} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-ink/40 dark:bg-black/60" />
        <Primitive.Popup className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-xl outline-none sm:p-7">
          <div className="mb-5 flex items-start justify-between gap-4">
            <Primitive.Title className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</Primitive.Title>
            <Primitive.Close className={`${iconButtonLook} -mt-1.5 -mr-2`} aria-label={t('close')}>
              <X className="size-5" aria-hidden="true" />
            </Primitive.Close>
          </div>
          {children}
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
