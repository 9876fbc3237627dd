'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { graceDays, rolesDemanded, secondFactorDemand } from '@/server/domain/access/schemas';
import { SelectField } from '../../form/fields';
import { Form } from '../../form/form';
import { OnlyWhen } from '../../form/only-when';
import { useField } from '../../form/use-field';
import { useZodForm } from '../../form/use-zod-form';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { Select } from '../../ui/select';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { StaffList } from './types';

/** Which roles need a second factor, and from when on. */
export function SecondFactorDemand({ staff }: { staff: StaffList }) {
  const t = useTranslations('staff');
  return (
    <div className="mt-8 max-w-2xl">
      <Section title={t('demandTitle')} description={t('demandText')}>
        {/* The form starts over when the current demand changes. */}
        <DemandForm key={`${staff.secondFactorOf} ${staff.secondFactorFrom}`} staff={staff} />
      </Section>
    </div>
  );
}

function DemandForm({ staff }: { staff: StaffList }) {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const { toast, settle } = useChange('staff');
  const { secondFactorOf, secondFactorFrom, members } = staff;
  const inForce = { demandedOf: secondFactorOf, graceDays: secondFactorFrom ? null : (14 as const) };
  const form = useZodForm(secondFactorDemand, inForce);
  const change = useMutation(trpc.staff.setSecondFactorDemand.mutationOptions({ onSettled: settle.onSettled }));
  const [ask, setAsk] = useState<{ answer: (isSure: boolean) => void } | null>(null);
  const demandedOf = useWatch({ control: form.control, name: 'demandedOf' });
  const names = {
    nobody: t('demandNobody'),
    owners: t('demandOwners'),
    managers: t('demandManagers'),
    everybody: t('demandEverybody'),
  };
  const lacking = members.filter(
    ({ role, hasSecondFactor }) => !hasSecondFactor && rolesDemanded[demandedOf].includes(role),
  ).length;
  const timeInForce = useTimeInForce(secondFactorFrom);

  async function save(input: { demandedOf: typeof demandedOf; graceDays: (typeof graceDays)[number] | null }) {
    const isSame = input.demandedOf === secondFactorOf && input.graceDays === null;
    const isNow = input.graceDays === 0 || (input.graceDays === null && isPast(secondFactorFrom));
    if (input.demandedOf !== 'nobody' && isNow && !isSame) {
      const isSure = await new Promise<boolean>((answer) => setAsk({ answer }));
      setAsk(null);
      if (!isSure) return form.reset(inForce);
    }
    if (!isSame) await change.mutateAsync(input);
    toast.done(t('demandSaved'));
  }

  return (
    <>
      {timeInForce ? (
        <p className="mb-4 text-sm font-medium">
          {names[secondFactorOf]}
          {' – '}
          {timeInForce}
        </p>
      ) : null}
      {members.some(({ isYou, hasSecondFactor }) => isYou && !hasSecondFactor) ? <OwnFactorFirst /> : null}
      <Form form={form} onSave={save}>
        <SelectField
          name="demandedOf"
          label={t('demandedOf')}
          options={Object.entries(names).map(([value, label]) => ({ value, label }))}
        />
        <OnlyWhen is={demandedOf !== 'nobody'} names={['graceDays']}>
          <GraceDays timeInForce={timeInForce} hint={t('demandLacking', { count: lacking })} />
        </OnlyWhen>
      </Form>
      <ConfirmDialog
        open={ask !== null}
        title={t('demandNowTitle')}
        confirmLabel={t('demandNow')}
        isDangerous={lacking > 0}
        onCancel={() => ask?.answer(false)}
        onConfirm={() => ask?.answer(true)}
      >
        {t('demandNowText', { count: lacking })}
      </ConfirmDialog>
    </>
  );
}

const isPast = (instant: string | null) => instant !== null && new Date(instant) <= new Date();

/** Says since when or from when the demand applies; null without one. */
function useTimeInForce(from: string | null): string | null {
  const t = useTranslations('staff');
  const format = useFormat();
  return from && t(isPast(from) ? 'demandSince' : 'demandFrom', { date: format.dateTime(from) });
}

function OwnFactorFirst() {
  const t = useTranslations('staff');
  return (
    <p className="mb-4 rounded-xl bg-caution-tint px-4 py-3 text-sm text-caution">
      {t('demandOwnFirst')}{' '}
      <Link href="/account" className="font-medium underline underline-offset-4">
        {t('demandToAccount')}
      </Link>
    </p>
  );
}

function GraceDays({ timeInForce, hint }: { timeInForce: string | null; hint: string }) {
  const t = useTranslations('staff');
  const { field, error } = useField('graceDays');
  const choices = graceDays.map((days) => ({ value: String(days), label: t('graceChoice', { days }) }));
  return (
    <Select
      {...field}
      value={field.value === null ? '' : String(field.value)}
      onChange={({ target: { value } }) => field.onChange(value === '' ? null : Number(value))}
      label={t('graceDays')}
      hint={hint}
      error={error}
      options={timeInForce ? [{ value: '', label: timeInForce }, ...choices] : choices}
    />
  );
}
