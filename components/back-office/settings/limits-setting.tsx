'use client';

import { useTranslations } from 'next-intl';
import { dailyLimits } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { MoneyField } from '../fields/money-field';
import { useFormat } from '../state/format';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

const fields = [
  { name: 'earningSaleLimit', Field: MoneyField },
  { name: 'customerDailyPoints', Field: NumberField },
  { name: 'customerDailyValue', Field: MoneyField },
  { name: 'keyDailyPoints', Field: NumberField },
  { name: 'keyDailyValue', Field: MoneyField },
] as const;

export function LimitsSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const format = useFormat();
  const { earningSaleLimit, customerDailyPoints, customerDailyValue, keyDailyPoints, keyDailyValue } = settings;
  const values = { earningSaleLimit, customerDailyPoints, customerDailyValue, keyDailyPoints, keyDailyValue };
  const { form, save } = useSettingsForm(dailyLimits, values);
  if (!settings.canEdit) {
    const print = (value: number, Field: unknown) =>
      Field === MoneyField ? format.money(value) : format.number(value);
    return (
      <Facts
        items={fields.map(({ name, Field }) => {
          const value = values[name];
          return { term: t(name), value: value === null ? t('noLimit') : print(value, Field) };
        })}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')}>
      {fields.map(({ name, Field }) => (
        <div key={name} className="max-w-sm">
          <Field name={name} label={t(name)} hint={t(`${name}Hint`)} optional />
        </div>
      ))}
    </Form>
  );
}
