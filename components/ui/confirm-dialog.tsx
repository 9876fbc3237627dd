'use client';

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from './button';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** The effect of confirming, in one sentence. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** True for a destructive action. */
  isDangerous?: boolean;
  /** It also closes the dialog, which accepts no second press while it fades out. */
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation of an action that has effects beyond this screen. Escape and Cancel change nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel, isDangerous, onConfirm, onCancel } = props;
  const t = useTranslations('common');
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => isOpen || onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-ink/40 dark:bg-page/75" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 z-50 w-[min(28rem,calc(100vw-2.5rem))] -translate-x-1/2 -translate-y-1/2 rounded-2xl border border-line bg-surface p-7 shadow-xl">
          <AlertDialog.Title className="text-xl font-semibold tracking-tight">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-3 leading-relaxed text-muted">
            {children}
          </AlertDialog.Description>
          <div className="mt-7 flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={onCancel}>
              {cancelLabel ?? t('cancel')}
            </Button>
            <Button variant={isDangerous ? 'danger' : 'primary'} busy={!open} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
