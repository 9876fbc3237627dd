'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { ListedCode } from './types';
import { Unserved } from './unserved';

/** Closes the selected codes after a confirmation. */
export function CloseChosen({ codes, onClosed }: { codes: ListedCode[]; onClosed: () => void }) {
  const t = useTranslations('qrCodes');
  const { toast, settle } = useChange('qrCodes');
  const [isAsking, setAsking] = useState(false);
  const count = codes.length;
  const close = useMutation(
    useTRPC().qrCodes.invalidateSeveral.mutationOptions({
      ...settle,
      onSuccess: ({ closed }) => {
        toast.done(t('closedSeveralToast', { count: closed }));
        onClosed();
      },
    }),
  );
  return (
    <>
      <Button variant="danger" size="small" busy={close.isPending} onClick={() => setAsking(true)}>
        {t('closeSeveral', { count })}
      </Button>
      <ConfirmDialog
        open={isAsking}
        isDangerous
        title={t('closeSeveralTitle', { count })}
        confirmLabel={t('closeSeveral', { count })}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          close.mutate({ qrCodeIds: codes.map(({ qrCodeId }) => qrCodeId) });
        }}
      >
        <p>{t('closeSeveralText')}</p>
        <Unserved
          count={codes.reduce((sum, { unserved }) => sum + unserved.count, 0)}
          total={codes.reduce((sum, { unserved }) => sum + unserved.total, 0)}
        />
      </ConfirmDialog>
    </>
  );
}
