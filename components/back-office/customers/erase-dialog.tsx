'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { displayName } from '@/server/domain/identity/rules';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { CustomerDetail } from './types';

/** Normalises a name for comparison, because people neither see nor type double spaces. */
const normalizeName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** Erases a customer once the name is typed. This can't be undone. */
export function EraseDialog({ detail, onClose }: { detail: CustomerDetail; onClose: () => void }) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  const [typed, setTyped] = useState('');
  const { customer, storedValue } = detail;
  const name = displayName(customer);
  const { toast, settle } = useChange('customers');
  const erase = useMutation(
    useTRPC().customers.erase.mutationOptions({
      ...settle,
      onSuccess: () => {
        toast.done(t('erasedToast'));
        onClose();
      },
    }),
  );
  const isConfirmed = normalizeName(typed) === normalizeName(name);
  return (
    <Dialog open onClose={onClose} title={t('eraseTitle', { name })} staysOpen={typed !== ''}>
      <div className="flex flex-col gap-5">
        <div className="leading-relaxed text-muted">
          <p>{t('eraseText')}</p>
          {storedValue.balance > 0 ? (
            <p className="mt-2 font-medium text-ink">{t('eraseHolds', { amount: money(storedValue.balance) })}</p>
          ) : null}
        </div>
        <Field
          label={t('eraseConfirm', { name })}
          value={typed}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            busy={!isConfirmed || erase.isPending}
            onClick={() => erase.mutate({ customerId: customer.customerId })}
          >
            {t('erase')}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {tCommon('cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
