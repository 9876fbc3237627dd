'use client';

import { useTranslations } from 'next-intl';
import type { z } from 'zod';
import { dailyLimits, staffLimits } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
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

export const LimitsSetting = ({ settings }: { settings: Settings }) => (
  <Limits schema={dailyLimits} fields={tillFields} settings={settings} />
);

export const StaffLimitsSetting = ({ settings }: { settings: Settings }) => (
  <Limits schema={staffLimits} fields={staffFields} settings={settings} />
);

type Limit = keyof typeof tillFields | keyof typeof staffFields;
type Values = Partial<Record<Limit, number | null>>;

interface Props {
  schema: z.ZodType<Values, Values>;
  fields: Partial<Record<Limit, typeof MoneyField | typeof NumberField>>;
  settings: Settings;
}

function Limits({ schema, fields, settings }: Props) {
  const t = useTranslations('settings');
  const format = useFormat();
  const names = Object.keys(fields) as Limit[];
  const values: Values = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const { form, save } = useSettingsForm(schema, values);
  if (!settings.canEdit) {
    const print = (name: Limit, value: number) =>
      fields[name] === MoneyField ? format.money(value) : format.number(value);
    return (
      <Facts
        items={names.map((name) => {
          const value = settings[name];
          return { term: t(name), value: value === null ? t('noLimit') : print(name, value) };
        })}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      {names.map((name) => {
        const Field = fields[name] ?? NumberField;
        return (
          <div key={name} className="max-w-sm">
            <Field name={name} label={t(name)} hint={t(`${name}Hint`)} optional />
          </div>
        );
      })}
    </Form>
  );
}
