'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { cashOutOf, payableOf } from '@/server/domain/stored-value/rules';
import { cashOutInput } from '@/server/domain/top-ups/schemas';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { MoneyField } from '../fields/money-field';
import { useRememberedStore } from '../lists/use-remembered-store';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { CounterStoreField, PaymentMethodField } from './counter-fields';
import { Receipt } from './receipt';
import type { CashOutPreview, StaffCashOut } from './types';

/** Pays out what is left of a customer's top-ups, then shows the receipt. */
export function CashOutDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const t = useTranslations('counter');
  const trpc = useTRPC();
  const stores = useQuery(trpc.stores.list.queryOptions());
  const preview = useQuery(trpc.customers.cashOutPreview.queryOptions({ customerId }));
  const [done, setDone] = useState<StaffCashOut | null>(null);
  const open = stores.data?.stores.filter(({ closedAt }) => closedAt === null);
  return (
    <Dialog open onClose={onClose} title={done ? t('paidOut') : t('cashOutTitle')}>
      {done ? (
        <Receipt done={done} onClose={onClose} />
      ) : !open ? (
        <Waiting error={stores.error} refetch={stores.refetch} />
      ) : !preview.data ? (
        <Waiting error={preview.error} refetch={preview.refetch} />
      ) : payableOf(preview.data.lots) === 0 ? (
        <p className="leading-relaxed text-muted">
          {t('cashOutNothing')} {t('cashOutText')}
        </p>
      ) : (
        <CashOutForm customerId={customerId} stores={open} preview={preview.data} onDone={setDone} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface CashOutFormProps {
  customerId: string;
  stores: { storeId: string; name: string }[];
  preview: CashOutPreview;
  onDone: (done: StaffCashOut) => void;
  onClose: () => void;
}

function CashOutForm({ customerId, stores, preview, onDone, onClose }: CashOutFormProps) {
  const t = useTranslations('counter');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  const { settle } = useChange('customers', 'transactions');
  const cashOut = useMutation(useTRPC().customers.cashOut.mutationOptions({ onSettled: settle.onSettled }));
  const { storeId: remembered, remember } = useRememberedStore();
  const firstStore = stores.find(({ storeId }) => storeId === remembered) ?? stores[0];
  // One id per opening: a retry after a lost response does not pay twice.
  const [cashOutId] = useState(() => crypto.randomUUID());
  const payable = payableOf(preview.lots);
  const form = useZodForm(cashOutInput, {
    cashOutId,
    customerId,
    storeId: firstStore?.storeId,
    amount: payable,
    paymentMethod: 'cash',
    reason: '',
  });
  return (
    <>
      <p className="mb-5 leading-relaxed text-muted">{t('cashOutText')}</p>
      <Form
        form={form}
        saveLabel={t('cashOutConfirm')}
        isDangerous
        onCancel={onClose}
        onSave={async (input) => {
          const done = await cashOut.mutateAsync(input);
          remember(input.storeId);
          onDone(done);
        }}
      >
        <CounterStoreField stores={stores} />
        <MoneyField name="amount" label={t('cashOutAmount')} hint={t('cashOutUpTo', { amount: money(payable) })} />
        <Lapsing preview={preview} payable={payable} />
        <PaymentMethodField label={t('paidOutWith')} />
        <TextField name="reason" label={tCommon('reason')} autoComplete="off" />
      </Form>
    </>
  );
}

/** The bonus that lapses with the entered amount. */
function Lapsing({ preview: { lots, keepsBonus }, payable }: { preview: CashOutPreview; payable: number }) {
  const t = useTranslations('counter');
  const { money } = useFormat();
  const { amount } = useWatch() as { amount?: number };
  if (!amount || !Number.isSafeInteger(amount) || amount > payable) return null;
  const lapses = cashOutOf(lots, amount, keepsBonus).reduce(
    (sum, { part, amount: taken }) => (part === 'bonus' ? sum + taken : sum),
    0,
  );
  if (lapses === 0) return null;
  return (
    <p role="status" className="-mt-2 text-sm font-medium">
      {t('cashOutLapses', { amount: money(lapses) })}
    </p>
  );
}
