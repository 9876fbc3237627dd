'use client';

import { useMutation } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';

export type Store = inferRouterOutputs<StaffRouter>['stores']['list']['stores'][number];

/** Closes a store after a confirmation, or reopens it. */
export function StoreOpening({ store }: { store: Store }) {
  const t = useTranslations('stores');
  const trpc = useTRPC();
  const { toast, settle } = useChange('stores');
  const [isAsking, setIsAsking] = useState(false);
  const { storeId, name } = store;
  const close = useMutation(
    trpc.stores.close.mutationOptions({ ...settle, onSuccess: () => toast.done(t('closedToast', { name })) }),
  );
  const reopen = useMutation(
    trpc.stores.reopen.mutationOptions({ ...settle, onSuccess: () => toast.done(t('reopenedToast', { name })) }),
  );
  const named = <span className="sr-only"> {name}</span>;
  if (store.closedAt !== null) {
    return (
      <Button variant="secondary" size="small" busy={reopen.isPending} onClick={() => reopen.mutate({ storeId })}>
        {t('reopen')}
        {named}
      </Button>
    );
  }
  return (
    <>
      <Button variant="secondary" size="small" busy={close.isPending} onClick={() => setIsAsking(true)}>
        {t('close')}
        {named}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('closeTitle', { name })}
        confirmLabel={t('close')}
        isDangerous
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          close.mutate({ storeId });
        }}
      >
        {t('closeText')}
      </ConfirmDialog>
    </>
  );
}
