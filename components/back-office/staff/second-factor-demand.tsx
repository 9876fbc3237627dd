'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { graceDays, secondFactorDemand } from '@/server/domain/access/schemas';
import { SelectField } from '../../form/fields';
import { Form } from '../../form/form';
import { useField } from '../../form/use-field';
import { useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { Select } from '../../ui/select';
import { useTRPC } from '../shell/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { StaffList } from './types';

/** Who has to have a second factor, and from when on. */
export function SecondFactorDemand({ demand }: { demand: Pick<StaffList, 'secondFactorOf' | 'secondFactorFrom'> }) {
  const t = useTranslations('staff');
  const format = useFormat();
  const trpc = useTRPC();
  const { settle } = useChange('staff');
  const { secondFactorOf, secondFactorFrom } = demand;
  const form = useZodForm(secondFactorDemand, { demandedOf: secondFactorOf, graceDays: 14 });
  const change = useMutation(trpc.staff.setSecondFactorDemand.mutationOptions({ onSettled: settle.onSettled }));
  const names = {
    nobody: t('demandNobody'),
    owners: t('demandOwners'),
    managers: t('demandManagers'),
    everybody: t('demandEverybody'),
  };
  return (
    <div className="mt-8 max-w-2xl">
      <Section title={t('demandTitle')} description={t('demandText')}>
        {secondFactorFrom ? (
          <p className="mb-4 text-sm font-medium">
            {names[secondFactorOf]}
            {' – '}
            {t(new Date(secondFactorFrom) > new Date() ? 'demandFrom' : 'demandSince', {
              date: format.dateTime(secondFactorFrom),
            })}
          </p>
        ) : null}
        <Form form={form} onSave={change.mutateAsync} savedMessage={t('demandSaved')}>
          <SelectField
            name="demandedOf"
            label={t('demandedOf')}
            options={Object.entries(names).map(([value, label]) => ({ value, label }))}
          />
          <GraceDays />
        </Form>
      </Section>
    </div>
  );
}

function GraceDays() {
  const t = useTranslations('staff');
  const { field, error } = useField('graceDays');
  return (
    <Select
      {...field}
      onChange={(event) => field.onChange(Number(event.target.value))}
      label={t('graceDays')}
      error={error}
      options={graceDays.map((days) => ({ value: String(days), label: t('graceChoice', { days }) }))}
    />
  );
}
