'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { AdjustInput } from '@/server/domain/customers';
import { adjustInput } from '@/server/domain/customers/schemas';
import { NumberField, RadioField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { OnlyWhen } from '../../form/only-when';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { DateField } from '../fields/date-field';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import type { CustomerDetail } from './types';

/** Adds or deducts value, with a reason. */
export function AdjustDialog({ detail, onClose }: { detail: CustomerDetail; onClose: () => void }) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const queryClient = useQueryClient();
  const adjust = useMutation(useTRPC().customers.adjust.mutationOptions());
  // One id per opening: a retry after a lost response does not adjust twice.
  const [adjustmentId] = useState(() => crypto.randomUUID());
  const form = useZodForm(adjustInput, {
    customerId: detail.customer.customerId,
    adjustmentId,
    part: 'principal',
    direction: 'add',
    amount: undefined,
    expiresOn: null,
    reason: '',
  });
  const [part, direction] = useWatch({ control: form.control, name: ['part', 'direction'] });
  const canExpire = part !== 'principal' && direction === 'add';
  return (
    <Dialog open onClose={onClose} title={t('adjustTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('adjustText')}</p>
      <Form
        form={form}
        saveLabel={t('adjust')}
        savedMessage={t('adjusted')}
        onCancel={onClose}
        onSave={async (input) => {
          await adjust.mutateAsync(input);
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: [['customers']] }),
            queryClient.invalidateQueries({ queryKey: [['transactions']] }),
          ]);
          onClose();
        }}
      >
        <PartField detail={detail} />
        <RadioField
          name="direction"
          label={t('direction')}
          options={[
            { value: 'add', label: t('addIt') },
            { value: 'take', label: t('takeIt') },
          ]}
        />
        {/* A separate field per part, because points and money are formatted differently. */}
        {part === 'points' ? (
          <NumberField key="points" name="amount" label={t('amount')} />
        ) : (
          <MoneyField key="money" name="amount" label={t('amount')} />
        )}
        <Outcome detail={detail} />
        <OnlyWhen is={canExpire} names={['expiresOn']}>
          <DateField name="expiresOn" label={t('expiresOn')} hint={t('expiresOnHint')} optional />
        </OnlyWhen>
        <TextField name="reason" label={tCommon('reason')} hint={t('reasonHint')} autoComplete="off" />
      </Form>
    </Dialog>
  );
}

function PartField({ detail: { storedValue, points } }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  return (
    <RadioField
      name="part"
      label={tCommon('type')}
      options={[
        {
          value: 'principal',
          label: t('principal'),
          hint: t('principalHint', { amount: money(storedValue.principal) }),
        },
        { value: 'bonus', label: t('bonus'), hint: t('bonusHint', { amount: money(storedValue.bonus) }) },
        { value: 'points', label: t('points'), hint: t('pointsHint', { count: points.balance }) },
      ]}
    />
  );
}

/** The balance before and after, once an amount is entered. */
function Outcome({ detail: { storedValue, points } }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  const { money } = useFormat();
  const { part, direction, amount } = useWatch<AdjustInput>() as Partial<AdjustInput>;
  if (!part || !Number.isSafeInteger(amount) || !amount) return null;
  const before = part === 'points' ? points.balance : storedValue[part];
  const after = direction === 'take' ? before - amount : before + amount;
  if (after < 0) return null;
  const print = (value: number) => (part === 'points' ? t('pointCount', { count: value }) : money(value));
  return (
    <p role="status" className="-mt-2 text-sm font-medium">
      {t('outcome', { before: print(before), after: print(after) })}
    </p>
  );
}
