'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRefusalText } from '../../calls/refusal';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Switch } from '../../ui/switch';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

interface PinSettingProps {
  pinRequired: boolean;
  /** When it was last switched; null for never. */
  changedAt: string | null;
  canEdit: boolean;
}

/** Flips the switch at once, and reverts if saving fails. */
function useChangePinRequired() {
  const t = useTranslations('settings');
  const toast = useToast();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { queryKey } = trpc.settings.get.queryOptions();
  return useMutation(
    trpc.settings.setPinRequired.mutationOptions({
      onMutate: async ({ pinRequired }) => {
        await queryClient.cancelQueries({ queryKey });
        const before = queryClient.getQueryData(queryKey);
        queryClient.setQueryData(queryKey, (now) => now && { ...now, pinRequired });
        return { before };
      },
      onSuccess: ({ pinRequired }) => toast.done(pinRequired ? t('pinIsOn') : t('pinIsOff')),
      onError: (_error, _input, shown) => queryClient.setQueryData(queryKey, shown?.before),
      onSettled: () => queryClient.invalidateQueries({ queryKey }),
    }),
  );
}

export function PinSetting({ pinRequired, changedAt, canEdit }: PinSettingProps) {
  const t = useTranslations('settings');
  const format = useFormat();
  const refusalText = useRefusalText();
  const change = useChangePinRequired();
  const [confirmingChange, setConfirmingChange] = useState<boolean | null>(null);
  return (
    <>
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <h3 id="pin-required" className="font-medium">
            {t('pinRequired')}
          </h3>
          <p id="pin-required-help" className="mt-1 max-w-xl text-sm leading-relaxed text-muted">
            {t('pinRequiredHelp')} {canEdit ? '' : t('ownerSwitches')}
          </p>
          {changedAt ? (
            <p className="mt-2 text-sm">
              {t(pinRequired ? 'onSince' : 'offSince', { time: format.dateTime(changedAt) })}
            </p>
          ) : null}
        </div>
        <Switch
          checked={pinRequired}
          onChange={setConfirmingChange}
          disabled={!canEdit}
          labelledBy="pin-required"
          describedBy="pin-required-help"
        />
      </div>
      <p role="alert" className="mt-3 text-sm text-danger empty:hidden">
        {change.isError ? t('switchNotSaved', { reason: refusalText(change.error) }) : ''}
      </p>
      <ConfirmDialog
        open={confirmingChange !== null}
        title={confirmingChange ? t('requirePinTitle') : t('dropPinTitle')}
        confirmLabel={confirmingChange ? t('requirePin') : t('dropPin')}
        isDangerous={confirmingChange === false}
        onCancel={() => setConfirmingChange(null)}
        onConfirm={() => {
          if (confirmingChange !== null) change.mutate({ pinRequired: confirmingChange });
          setConfirmingChange(null);
        }}
      >
        <p>{confirmingChange ? t('requirePinEffect') : t('dropPinEffect')}</p>
        {confirmingChange ? <PinCoverage /> : null}
      </ConfirmDialog>
    </>
  );
}

/** How many customers could no longer redeem, because they have no PIN. */
function PinCoverage() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settings.pinCoverage.queryOptions());
  if (!data || data.customers === 0) return null;
  const { customers, withoutPin, isSample } = data;
  const text =
    withoutPin === 0
      ? t('allHavePin')
      : isSample
        ? t('withoutPinOfNewest', { withoutPin, customers })
        : t('withoutPin', { withoutPin, customers });
  return (
    <p role="status" className="mt-3 rounded-lg bg-caution-tint px-3.5 py-2.5 text-sm font-medium text-caution">
      {text}
    </p>
  );
}
