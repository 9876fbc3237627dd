'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useToast } from '../../ui/toast';
import { useOffice } from '../office';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';
import type { Member } from './types';

/** Ends that somebody works here, or that one does oneself, after asking. */
export function RemoveMember({ member: { userId, name, isYou } }: { member: Member }) {
  const t = useTranslations('staff');
  const { merchant } = useOffice();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation(
    trpc.staff.remove.mutationOptions({
      onSuccess: () => {
        // A full load: nothing of the merchant stays in the page's memory.
        if (isYou) window.location.assign('/home');
        else toast.done(t('removed', { name }));
      },
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries({ queryKey: [['staff']] }),
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
