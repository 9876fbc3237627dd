'use client';

import { useTranslations } from 'next-intl';
import { codeRules } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { useFormat } from '../state/format';
import { CountriesField } from './countries-field';
import type { Settings } from './types';
import { useNames } from './use-names';
import { useSettingsForm } from './use-settings-form';

/** How many sign-in codes may be sent to diners, and to which countries. */
export function CodesSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const format = useFormat();
  const names = useNames();
  const { codesPerHour, codesPerDay, codeCountries } = settings;
  const { form, save } = useSettingsForm(codeRules, { codesPerHour, codesPerDay, codeCountries });
  if (!settings.canEdit) {
    return (
      <Facts
        items={[
          { term: t('codesPerHour'), value: format.number(codesPerHour) },
          { term: t('codesPerDay'), value: format.number(codesPerDay) },
          { term: t('codeCountries'), value: codeCountries?.map(names.country).join(', ') ?? t('usualCountries') },
        ]}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <div className="max-w-sm">
        <NumberField name="codesPerHour" label={t('codesPerHour')} hint={t('codesPerHourHint')} />
      </div>
      <div className="max-w-sm">
        <NumberField name="codesPerDay" label={t('codesPerDay')} />
      </div>
      <div className="max-w-sm">
        <CountriesField name="codeCountries" label={t('codeCountries')} hint={t('codeCountriesHint')} />
      </div>
    </Form>
  );
}
