'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { refundPartInput } from '@/server/domain/transactions/schemas';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { TransactionDetail } from './transaction-words';

/** Refunds a part of a redemption, then opens the transaction with the rest. */
export function RefundPartDialog({ one, onClose }: { one: TransactionDetail; onClose: () => void }) {
  const t = useTranslations('counter');
  const tCommon = useTranslations('common');
  const tTransactions = useTranslations('transactions');
  const { money } = useFormat();
  const router = useRouter();
  const { settle } = useChange('transactions', 'customers');
  const refund = useMutation(useTRPC().transactions.refundPart.mutationOptions({ onSettled: settle.onSettled }));
  // One id per opening: a retry after a lost response does not refund twice.
  const [refundId] = useState(() => crypto.randomUUID());
  const form = useZodForm(refundPartInput, { refundId, uid: one.uid, amount: undefined, reason: '' });
  return (
    <Dialog open onClose={onClose} title={t('refundTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('refundText')}</p>
      <Form
        form={form}
        saveLabel={t('refundConfirm')}
        savedMessage={t('refunded')}
        isDangerous
        onCancel={onClose}
        onSave={async (input) => {
          const { restUid } = await refund.mutateAsync(input);
          onClose();
          router.push(`/transactions/${restUid}`);
        }}
      >
        <MoneyField
          name="amount"
          label={t('refundAmount')}
          hint={t('refundUpTo', { amount: money(one.maxRefund ?? 0) })}
        />
        <Outcome spent={-one.storedValue} />
        <TextField name="reason" label={tCommon('reason')} hint={tTransactions('voidReasonHint')} autoComplete="off" />
      </Form>
    </Dialog>
  );
}

/** The redemption before and after, once an amount is entered. */
function Outcome({ spent }: { spent: number }) {
  const t = useTranslations('counter');
  const { money } = useFormat();
  const { amount } = useWatch() as { amount?: number };
  if (!amount || !Number.isSafeInteger(amount) || amount >= spent) return null;
  return (
    <p role="status" className="-mt-2 text-sm font-medium">
      {t('refundOutcome', { before: money(spent), after: money(spent - amount) })}
    </p>
  );
}
