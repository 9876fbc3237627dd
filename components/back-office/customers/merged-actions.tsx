import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { CustomerDetail } from './types';

type Merged = CustomerDetail['merged'][number];

/** Takes a merge apart, for owners and some days, and removes the merged phone as a way to sign in. */
export function MergedActions({ merged: { customerId: mergedId, name, phone, undoableUntil } }: { merged: Merged }) {
  const t = useTranslations('customers');
  const trpc = useTRPC();
  const { settle, toast } = useChange('customers');
  const [task, setTask] = useState<'undoMerge' | 'removePhone' | null>(null);
  const isOwner = useIsRole('owner');
  const isManager = useIsRole('owner', 'manager');
  const undo = useMutation(
    trpc.customers.undoMerge.mutationOptions({ ...settle, onSuccess: () => toast.done(t('undoMergeDone')) }),
  );
  const remove = useMutation(
    trpc.customers.removeMergedPhone.mutationOptions({ ...settle, onSuccess: () => toast.done(t('removePhoneDone')) }),
  );
  const [now] = useState(() => new Date());
  const close = () => setTask(null);
  return (
    <div className="flex flex-wrap gap-2">
      {isManager && phone ? (
        <Button variant="secondary" size="small" onClick={() => setTask('removePhone')}>
          {t('removePhone')}
          <span className="sr-only"> {phone}</span>
        </Button>
      ) : null}
      {isOwner && undoableUntil && new Date(undoableUntil) > now ? (
        <Button variant="secondary" size="small" onClick={() => setTask('undoMerge')}>
          {t('undoMerge')}
          <span className="sr-only"> {name}</span>
        </Button>
      ) : null}
      <ConfirmDialog
        open={task === 'undoMerge'}
        title={t('undoMergeTitle', { name })}
        confirmLabel={t('undoMerge')}
        onCancel={close}
        onConfirm={() => {
          undo.mutate({ mergedId });
          close();
        }}
      >
        {t('undoMergeText', { name })}
      </ConfirmDialog>
      <ConfirmDialog
        open={task === 'removePhone'}
        title={t('removePhoneTitle', { phone: phone ?? '' })}
        confirmLabel={t('removePhone')}
        onCancel={close}
        onConfirm={() => {
          remove.mutate({ mergedId });
          close();
        }}
      >
        {t('removePhoneText')}
      </ConfirmDialog>
    </div>
  );
}
