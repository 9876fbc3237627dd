'use client';

import { Dialog as Primitive } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { createContext, type ReactNode, useContext, useEffect, useReducer } from 'react';
import { iconButtonLook } from './icon-button';

interface DialogProps {
  open: boolean;
  /** Left out if only a button of the content may close it, because something is then gone for good. */
  onClose?: () => void;
  title: string;
  /** True if an accidental press outside would lose input. */
  staysOpen?: boolean;
  children: ReactNode;
}

const holdContext = createContext<(change: 1 | -1) => void>(() => {});

/** For the content of a dialog: while on, an accidental press outside does not close it. */
export function useDialogHold(isOn: boolean): void {
  const hold = useContext(holdContext);
  useEffect(() => {
    if (!isOn) return;
    hold(1);
    return () => hold(-1);
  }, [hold, isOn]);
}

/** A small task over the page. With `onClose`, Escape, its cross and a press outside close it. */
export function Dialog({ open, onClose, title, staysOpen = false, children }: DialogProps) {
  const t = useTranslations('common');
  const [holds, hold] = useReducer((count: number, change: 1 | -1) => count + change, 0);
  return (
    <Primitive.Root
      open={open}
      disablePointerDismissal={staysOpen || holds > 0}
      onOpenChange={(isOpen) => isOpen || onClose?.()}
    >
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-ink/40 dark:bg-page/75" />
        <Primitive.Popup className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-xl outline-none sm:p-7">
          <div className="mb-5 flex items-start justify-between gap-4">
            <Primitive.Title className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</Primitive.Title>
            {onClose ? (
              <Primitive.Close className={`${iconButtonLook} -mt-1.5 -mr-2`} aria-label={t('close')}>
                <X className="size-5" aria-hidden="true" />
              </Primitive.Close>
            ) : null}
          </div>
          <holdContext.Provider value={hold}>{children}</holdContext.Provider>
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
