'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useId, useState } from 'react';
import { mostVoidedTogether } from '@/server/domain/transactions/schemas';
import { asRefusal, useRefusalText } from '../../calls/refusal';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { Dialog, useDialogHold } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { Skeleton } from '../../ui/skeleton';
import { useTRPC } from '../office/trpc';
import { LoadError } from '../state/load-error';
import { useChange } from '../state/use-change';
import type { VoidPreview } from './transaction-words';
import { VoidEffects } from './void-effects';

interface VoidDialogProps {
  uids: string[];
  onVoided: () => void;
  onClose: () => void;
}

/** Voids transactions after a preview of the effects. */
export function VoidDialog({ uids: initialUids, onVoided, onClose }: VoidDialogProps) {
  const t = useTranslations('transactions');
  const trpc = useTRPC();
  const [uids, setUids] = useState(initialUids);
  // Never cached: the person confirms the current state.
  const query = useQuery(trpc.transactions.voidPreview.queryOptions({ uids }, { staleTime: 0, gcTime: 0 }));
  const preview = query.data;
  const spenders = preview ? spendersOf(preview) : [];
  const isBlocked = preview?.transactions.some(({ outcome }) => outcome === 'blocked');
  const voidable = preview?.transactions.filter(({ outcome }) => outcome === 'voided') ?? [];
  return (
    <Dialog open onClose={onClose} title={t('voidTitle', { count: uids.length })}>
      {query.error ? <LoadError error={query.error} onRetry={query.refetch} /> : null}
      {preview ? <VoidEffects preview={preview} /> : query.error ? null : <Skeleton label={t('effects')} />}
      {preview && isBlocked ? (
        <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-muted">{t('blockedText')}</p>
          {spenders.length > 0 && uids.length + spenders.length <= mostVoidedTogether ? (
            <Button variant="secondary" size="small" onClick={() => setUids([...uids, ...spenders])}>
              {t('voidSpendersToo', { count: spenders.length })}
            </Button>
          ) : null}
        </div>
      ) : null}
      {preview && !isBlocked && voidable.length === 0 ? (
        <p className="mt-5 text-sm text-muted">{t('voidNothing')}</p>
      ) : null}
      {preview && !isBlocked && voidable.length > 0 ? (
        <ConfirmForm uids={uids} preview={preview} count={voidable.length} onVoided={onVoided} onClose={onClose} />
      ) : null}
    </Dialog>
  );
}

const spendersOf = ({ transactions }: VoidPreview): string[] => [
  ...new Set(transactions.flatMap(({ blocking }) => blocking?.spentBy.map(({ uid }) => uid) ?? [])),
];

interface ConfirmFormProps extends VoidDialogProps {
  preview: VoidPreview;
  /** The number of transactions to void. */
  count: number;
}

function ConfirmForm({ uids, preview, count, onVoided, onClose }: ConfirmFormProps) {
  const t = useTranslations('transactions');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const { toast, settle } = useChange('transactions', 'customers');
  const refusalText = useRefusalText();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const formId = useId();
  useDialogHold(reason !== '');
  const voiding = useMutation(
    trpc.transactions.void.mutationOptions({
      onSuccess: () => {
        toast.done(t('voidDone', { count }));
        onVoided();
        onClose();
      },
      // Refetches the preview too, which shows what now prevents the void.
      onSettled: settle.onSettled,
    }),
  );
  const isChanged = ['void_changed', 'void_refused'].includes(asRefusal(voiding.error)?.data?.reason ?? '');

  function submit(event: FormEvent) {
    event.preventDefault();
    const given = reason.trim();
    setMissing(given === '');
    if (given === '' || voiding.isPending) return;
    voiding.mutate({ uids, reason: given, effect: preview.effect });
  }

  return (
    <form id={formId} onSubmit={submit} noValidate className="mt-5 flex flex-col gap-5">
      {voiding.error ? <Alert tone="danger" title={isChanged ? t('voidChanged') : refusalText(voiding.error)} /> : null}
      <Field
        label={tCommon('reason')}
        hint={t('voidReasonHint')}
        error={isMissing ? tCommon('required') : null}
        value={reason}
        maxLength={200}
        onChange={({ target }) => {
          setReason(target.value);
          setMissing(false);
        }}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {tCommon('cancel')}
        </Button>
        <Button type="submit" variant="danger" busy={voiding.isPending}>
          {t('voidConfirm', { count })}
        </Button>
      </div>
    </form>
  );
}
