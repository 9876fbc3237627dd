'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { z } from 'zod';
import { refundPartInput } from '@/server/domain/transactions/schemas';
import { SwitchField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { StoryPayment } from './types';

interface RefundDialogProps {
  payment: StoryPayment;
  guestName: string;
  /** What the bill's sales earned and refunds have not taken yet. */
  pointsEarned: number;
  onClose: () => void;
}

/** The amount of a payment, including its tip, that can still be refunded. */
export const refundableOf = ({ state, amount, tip, returned }: StoryPayment): number =>
  state === 'held' ? 0 : amount + tip - returned;

/** Refunds all or a part of a card payment. */
export function RefundDialog({ payment, guestName, pointsEarned, onClose }: RefundDialogProps) {
  const t = useTranslations('bills');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  const { settle } = useChange('bills');
  const { mutateAsync } = useMutation(useTRPC().bills.refundPayment.mutationOptions({ onSettled: settle.onSettled }));
  const most = refundableOf(payment);
  const [before] = useState(payment.returned);
  const shape = { amount: z.int().min(1).max(most), takesPoints: z.boolean(), reason: refundPartInput.shape.reason };
  const form = useZodForm(z.strictObject(shape), { amount: most, takesPoints: true, reason: '' });
  return (
    <Dialog open onClose={onClose} title={t('refundTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('refundText', { guest: guestName })}</p>
      <Form
        form={form}
        saveLabel={t('refundConfirm')}
        savedMessage={t('refundDone')}
        isDangerous
        onCancel={onClose}
        onSave={async ({ amount, takesPoints, reason }) => {
          // The total to be refunded, counted from what had been refunded when the dialog opened. So a retry after a
          // lost response refunds nothing more.
          const returned = before + amount;
          await mutateAsync({ paymentId: payment.paymentId, returned, keepPoints: !takesPoints, reason });
          onClose();
        }}
      >
        <MoneyField
          name="amount"
          label={t('refundAmount')}
          hint={t('refundUpTo', { amount: money(most), tip: payment.tip > 0 ? 'yes' : 'no' })}
        />
        {pointsEarned > 0 ? (
          <SwitchField
            name="takesPoints"
            label={t('refundTakesPoints')}
            hint={t('refundTakesPointsHint', { count: pointsEarned })}
          />
        ) : null}
        <TextField name="reason" label={tCommon('reason')} hint={t('refundReasonHint')} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
