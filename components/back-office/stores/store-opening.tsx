'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';

export type Store = inferRouterOutputs<StaffRouter>['stores']['list']['stores'][number];

/** Closes a store after asking, or opens it again. */
export function StoreOpening({ store }: { store: Store }) {
  const t = useTranslations('stores');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const [isAsking, setIsAsking] = useState(false);
  const { storeId, name } = store;
  const settle = (message: string) => ({
    onSuccess: () => toast.done(message),
    onError: (error: unknown) => toast.failed(refusalText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [['stores']] }),
  });
  const close = useMutation(trpc.stores.close.mutationOptions(settle(t('closedToast', { name }))));
  const reopen = useMutation(trpc.stores.reopen.mutationOptions(settle(t('reopenedToast', { name }))));
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
