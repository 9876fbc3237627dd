'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { percentageOf } from '@/server/domain/kernel/money';
import { staffTopUpInput } from '@/server/domain/top-ups/schemas';
import { RadioField } from '../../form/fields';
import { Form } from '../../form/form';
import { OnlyWhen } from '../../form/only-when';
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
import type { CounterOffer, CounterOffers, StaffTopUp } from './types';

interface TopUpDialogProps {
  customerId: string;
  /** The customer's balance before, in minor units. */
  balance: number;
  onClose: () => void;
}

/** Credits a package that the customer pays for at the counter, then shows the receipt. */
export function TopUpDialog({ customerId, balance, onClose }: TopUpDialogProps) {
  const t = useTranslations('counter');
  const { data, error, refetch } = useQuery(useTRPC().stores.list.queryOptions());
  const [done, setDone] = useState<StaffTopUp | null>(null);
  const stores = data?.stores.filter(({ closedAt }) => closedAt === null);
  return (
    <Dialog open onClose={onClose} title={done ? t('toppedUp') : t('topUpTitle')}>
      {done ? (
        <Receipt done={done} onClose={onClose} />
      ) : stores ? (
        <TopUpForm customerId={customerId} balance={balance} stores={stores} onDone={setDone} onClose={onClose} />
      ) : (
        <Waiting error={error} refetch={refetch} />
      )}
    </Dialog>
  );
}

interface TopUpFormProps extends TopUpDialogProps {
  stores: { storeId: string; name: string }[];
  onDone: (done: StaffTopUp) => void;
}

function TopUpForm({ customerId, balance, stores, onDone, onClose }: TopUpFormProps) {
  const t = useTranslations('counter');
  const trpc = useTRPC();
  // Also called after a refusal, to reload what the limits leave.
  const { settle } = useChange('customers', 'transactions');
  const topUp = useMutation(trpc.customers.topUp.mutationOptions({ onSettled: settle.onSettled }));
  const { storeId: remembered, remember } = useRememberedStore();
  const firstStore = stores.find(({ storeId }) => storeId === remembered) ?? stores[0];
  // One id per opening: a retry after a lost response does not credit twice.
  const [topUpId] = useState(() => crypto.randomUUID());
  const form = useZodForm(staffTopUpInput, {
    topUpId,
    customerId,
    storeId: firstStore?.storeId,
    packageId: '',
    amount: null,
    paymentMethod: 'cash',
  });
  const [storeId, packageId, amount] = useWatch({
    control: form.control,
    name: ['storeId', 'packageId', 'amount'],
  });
  const {
    data: counter,
    error,
    refetch,
  } = useQuery(
    trpc.customers.topUpOffers.queryOptions({ storeId: storeId ?? '', customerId }, { enabled: Boolean(storeId) }),
  );
  const offer = counter?.offers.find((one) => one.packageId === packageId);
  return (
    <Form
      form={form}
      saveLabel={t('topUp')}
      onCancel={onClose}
      onSave={async (input) => {
        const done = await topUp.mutateAsync(input);
        remember(input.storeId);
        onDone(done);
      }}
    >
      <CounterStoreField stores={stores} />
      {counter ? <PackageField offers={counter.offers} /> : <Waiting error={error} refetch={refetch} />}
      <OnlyWhen is={offer?.kind === 'open'} names={['amount']}>
        <MoneyField name="amount" label={t('amountPaid')} />
      </OnlyWhen>
      <PaymentMethodField label={t('paidWith')} />
      {counter && offer ? (
        <>
          <OverLimit counter={counter} credited={creditOf(offer, amount)} />
          <Outcome paid={paidOf(offer, amount)} credited={creditOf(offer, amount)} balance={balance} />
        </>
      ) : null}
    </Form>
  );
}

/** What the customer pays: the package's amount, or the one that was entered. */
const paidOf = ({ amount }: CounterOffer, entered: number | null | undefined): number =>
  amount ?? (Number(entered ?? 0) || 0);

/** What the customer is credited, including bonus. */
function creditOf(offer: CounterOffer, entered: number | null | undefined): number {
  const { amount, bonusAmount, bonusPercent } = offer;
  if (amount !== null) return amount + (bonusAmount ?? 0);
  const principal = paidOf(offer, entered);
  return principal + percentageOf(principal, Math.round((bonusPercent ?? 0) * 100));
}

/** What the top-up will do, before it is final. */
function Outcome({ paid, credited, balance }: { paid: number; credited: number; balance: number }) {
  const t = useTranslations('counter');
  const { money, movement } = useFormat();
  const lines = [
    { term: t('toTake'), value: money(paid) },
    { term: t('added'), value: movement(credited) },
    { term: t('balanceAfter'), value: money(balance + credited) },
  ];
  return (
    <dl className="grid grid-cols-3 gap-x-3 rounded-xl bg-tint px-4 py-2.5 text-sm">
      {lines.map(({ term, value }) => (
        <div key={term}>
          <dt className="text-xs text-muted">{term}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Warns that a top-up would be refused, before its payment is taken. */
function OverLimit({ counter, credited }: { counter: CounterOffers; credited: number }) {
  const t = useTranslations('counter');
  const { money } = useFormat();
  const { leftToday, leftForStaff, leftOfBalance } = counter;
  const isOverStaff = leftForStaff !== null && credited > leftForStaff;
  const isOverDay = leftToday !== null && credited > leftToday;
  const isOverBalance = leftOfBalance !== null && credited > leftOfBalance;
  const text = isOverStaff
    ? t('overStaff', { credited: money(credited), left: money(leftForStaff) })
    : isOverDay
      ? t('overDay', { credited: money(credited), left: money(leftToday) })
      : isOverBalance
        ? t('overBalance', { credited: money(credited), left: money(leftOfBalance) })
        : null;
  return (
    <p role="status" className="rounded-xl bg-danger-tint px-4 py-3 text-sm text-danger empty:hidden">
      {text}
    </p>
  );
}

function PackageField({ offers }: { offers: CounterOffer[] }) {
  const t = useTranslations('counter');
  const { money, number } = useFormat();
  if (offers.length === 0) return <p className="text-sm text-muted">{t('noPackages')}</p>;
  const hintOf = ({ kind, amount, minAmount, maxAmount, bonusAmount, bonusPercent }: CounterOffer) => {
    if (kind === 'fixed') {
      const pays = money(amount ?? 0);
      return bonusAmount ? t('paysAndGets', { amount: pays, bonus: money(bonusAmount) }) : t('pays', { amount: pays });
    }
    const range = { minimum: money(minAmount ?? 0), maximum: money(maxAmount ?? 0) };
    return bonusPercent ? t('paysBetweenPlus', { ...range, percent: number(bonusPercent) }) : t('paysBetween', range);
  };
  return (
    <RadioField
      name="packageId"
      label={t('package')}
      options={offers.map((offer) => ({ value: offer.packageId, label: offer.name, hint: hintOf(offer) }))}
    />
  );
}
