'use client';

import { useTranslations } from 'next-intl';
import type { z } from 'zod';
import { dailyLimits, staffLimits } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { Section } from '../../ui/section';
import { MoneyField } from '../fields/money-field';
import { useFormat } from '../state/format';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

const tillFields = {
  earningSaleLimit: MoneyField,
  customerDailyPoints: NumberField,
  customerDailyValue: MoneyField,
  newCustomerDailyValue: MoneyField,
  keyDailyPoints: NumberField,
  keyDailyValue: MoneyField,
  keyDailySignUps: NumberField,
} satisfies Fields<typeof dailyLimits>;

const staffFields = {
  cashierDailyValue: MoneyField,
  cashierDailyVouchers: NumberField,
  cashierDailyEnrolments: NumberField,
  managerDailyValue: MoneyField,
  managerDailyPoints: NumberField,
  managerDailyVouchers: NumberField,
  managerDailyEnrolments: NumberField,
} satisfies Fields<typeof staffLimits>;

type Fields<Schema extends z.ZodObject> = Record<keyof Schema['shape'], typeof MoneyField | typeof NumberField>;

type Limit = keyof typeof tillFields | keyof typeof staffFields;
type LimitFields = Partial<Record<Limit, typeof MoneyField | typeof NumberField>>;
type Values = Record<Limit, number | null>;

const schema = dailyLimits.extend(staffLimits.shape);

/** The limits for tills and for staff, saved together. */
export function LimitsSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const names = [...Object.keys(tillFields), ...Object.keys(staffFields)] as Limit[];
  const values = Object.fromEntries(names.map((name) => [name, settings[name]])) as Values;
  const { form, save } = useSettingsForm(schema, values);
  const Group = settings.canEdit ? Inputs : LimitFacts;
  const groups = (
    <>
      <Section title={t('limits')} description={t('limitsText')}>
        <Group fields={tillFields} values={values} />
      </Section>
      <Section title={t('staffLimits')} description={t('staffLimitsText')}>
        <Group fields={staffFields} values={values} />
      </Section>
    </>
  );
  if (!settings.canEdit) return groups;
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      {groups}
    </Form>
  );
}

interface GroupProps {
  fields: LimitFields;
  values: Values;
}

function Inputs({ fields }: GroupProps) {
  const t = useTranslations('settings');
  return (
    <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
      {(Object.keys(fields) as Limit[]).map((name) => {
        const Field = fields[name] ?? NumberField;
        return <Field key={name} name={name} label={t(name)} hint={t(`${name}Hint`)} optional />;
      })}
    </div>
  );
}

/** For people who may not change them. */
function LimitFacts({ fields, values }: GroupProps) {
  const t = useTranslations('settings');
  const { money, number } = useFormat();
  return (
    <Facts
      items={(Object.keys(fields) as Limit[]).map((name) => {
        const value = values[name];
        const print = fields[name] === MoneyField ? money : number;
        return { term: t(name), value: value === null ? t('noLimit') : print(value) };
      })}
    />
  );
}
