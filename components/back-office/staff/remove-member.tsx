'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { Member } from './types';

/** Removes a member of staff, or oneself, after a confirmation. */
export function RemoveMember({ member: { userId, name, isYou } }: { member: Member }) {
  const t = useTranslations('staff');
  const { merchant } = useOffice();
  const trpc = useTRPC();
  const { toast, settle } = useChange('staff');
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation(
    trpc.staff.remove.mutationOptions({
      ...settle,
      onSuccess: () => {
        // A full page load, so that no data of the merchant stays in memory.
        if (isYou) window.location.assign('/home');
        else toast.done(t('removed', { name }));
      },
    }),
  );
  return (
    <>
      <Button variant="secondary" size="small" busy={remove.isPending} onClick={() => setIsAsking(true)}>
        {isYou ? t('leave') : t('remove')}
        <span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={isYou ? t('leaveTitle', { merchant: merchant.name }) : t('removeTitle', { name })}
        confirmLabel={isYou ? t('leave') : t('remove')}
        isDangerous
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          remove.mutate({ userId });
        }}
      >
        {isYou ? t('leaveText') : t('removeText', { name })}
      </ConfirmDialog>
    </>
  );
}
