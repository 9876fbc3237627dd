import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { StoryPayment } from './types';

interface ReleaseButtonProps {
  payment: StoryPayment;
  guestName: string;
}

/** Ends a payment that a phone has begun and does not finish. */
export function ReleaseButton({ payment: { paymentId, amount }, guestName }: ReleaseButtonProps) {
  const t = useTranslations('bills');
  const { money } = useFormat();
  const { settle, toast } = useChange('bills');
  const [isOpen, setIsOpen] = useState(false);
  const release = useMutation(
    useTRPC().bills.releasePayment.mutationOptions({ ...settle, onSuccess: () => toast.done(t('releaseDone')) }),
  );
  return (
    <div className="flex justify-end">
      <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
        {t('release')}
        <span className="sr-only"> {guestName}</span>
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('releaseTitle')}
        confirmLabel={t('release')}
        onCancel={() => setIsOpen(false)}
        onConfirm={() => {
          release.mutate({ paymentId });
          setIsOpen(false);
        }}
      >
        {t('releaseText', { guest: guestName, amount: money(amount) })}
      </ConfirmDialog>
    </div>
  );
}
