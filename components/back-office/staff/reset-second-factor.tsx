'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { Member } from './types';

/** Resets the second step of a member who has lost it, after a confirmation. */
export function ResetSecondFactor({ member: { userId, name } }: { member: Member }) {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const { toast, settle } = useChange('staff');
  const [isAsking, setIsAsking] = useState(false);
  const reset = useMutation(
    trpc.staff.resetSecondFactor.mutationOptions({
      ...settle,
      onSuccess: () => toast.done(t('factorReset', { name })),
    }),
  );
  return (
    <>
      <Button variant="secondary" size="small" busy={reset.isPending} onClick={() => setIsAsking(true)}>
        {t('resetFactor')}
        <span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('resetFactorTitle', { name })}
        confirmLabel={t('resetFactor')}
        isDangerous
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          reset.mutate({ userId });
        }}
      >
        {t('resetFactorText', { name })}
      </ConfirmDialog>
    </>
  );
}
