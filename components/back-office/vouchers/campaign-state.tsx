'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { CampaignDetail } from './types';

/** Pauses or resumes a campaign; archives or restores it. */
export function CampaignState({ campaign: { campaignId, name, status } }: { campaign: CampaignDetail }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const { toast, settle } = useChange('campaigns');
  const [isAsking, setIsAsking] = useState(false);
  const pause = useMutation(
    trpc.campaigns.setPaused.mutationOptions({
      ...settle,
      onSuccess: (_, { isPaused }) => toast.done(isPaused ? t('pausedToast') : t('resumedToast')),
    }),
  );
  const archive = useMutation(
    trpc.campaigns.setArchived.mutationOptions({
      ...settle,
      onSuccess: (_, { isArchived }) => toast.done(isArchived ? t('archivedToast') : t('restoredToast')),
    }),
  );
  if (status === 'archived') {
    return (
      <Button
        variant="secondary"
        busy={archive.isPending}
        onClick={() => archive.mutate({ campaignId, isArchived: false })}
      >
        {tCommon('restore')}
      </Button>
    );
  }
  const isPaused = status === 'paused';
  return (
    <>
      <Button variant="secondary" busy={archive.isPending} onClick={() => setIsAsking(true)}>
        {tCommon('archive')}
      </Button>
      {status === 'ended' ? null : (
        <Button
          variant="secondary"
          busy={pause.isPending}
          onClick={() => pause.mutate({ campaignId, isPaused: !isPaused })}
        >
          {isPaused ? t('resume') : t('pause')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('archiveTitle', { name })}
        confirmLabel={tCommon('archive')}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          archive.mutate({ campaignId, isArchived: true });
        }}
      >
        {t('archiveText')}
      </ConfirmDialog>
    </>
  );
}
