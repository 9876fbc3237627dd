'use client';

import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import { classNames } from './class-names';
import { iconButtonLook } from './icon-button';

/** Provides toasts to the screens below. They appear at the bottom of the screen, where they cover no title. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={6000} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-60 flex flex-col gap-2 sm:left-auto sm:w-96 print:hidden">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** Announced when it appears. Not a dialog, because it needs no response. */
const noDialog = { role: 'group', 'aria-modal': undefined } as const;

function ToastList() {
  const t = useTranslations('common');
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      {...noDialog}
      swipeDirection={['up', 'down', 'right']}
      className={classNames(
        'flex items-center gap-2 rounded-xl border py-2 pr-1.5 pl-4 text-sm shadow-lg data-ending-style:opacity-0 data-limited:hidden',
        toast.type === 'error' ? 'border-danger bg-danger-tint text-danger' : 'border-ink bg-ink text-page',
      )}
    >
      <Toast.Content className="flex min-w-0 grow items-center gap-3">
        <Toast.Title render={<p />} className="grow py-1.5 font-medium wrap-anywhere" />
        <Toast.Action className="min-h-9 shrink-0 rounded-lg px-3 font-semibold underline underline-offset-4" />
      </Toast.Content>
      <Toast.Close
        aria-label={t('dismiss')}
        aria-hidden={undefined}
        className={classNames(iconButtonLook, 'size-9 text-current hover:bg-transparent hover:text-current')}
      >
        <X className="size-4" aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Shows what was done, or an error. With `undo`, offers to undo it. */
export function useToast() {
  const t = useTranslations('common');
  const { add, close } = Toast.useToastManager();
  return useMemo(
    () => ({
      done(title: string, undo?: () => void) {
        const onClick = () => {
          close(id);
          undo?.();
        };
        const actionProps = undo ? { children: t('undo'), onClick } : undefined;
        const id = add({ title, type: 'done', actionProps, timeout: undo ? 10_000 : 6000 });
      },
      failed: (title: string) => add({ title, type: 'error', priority: 'high', timeout: 10_000 }),
    }),
    [add, close, t],
  );
}
