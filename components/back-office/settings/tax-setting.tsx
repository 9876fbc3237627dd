'use client';

import { useTranslations } from 'next-intl';
import { taxRules } from '@/server/domain/merchants/schemas';
import { PercentField, SwitchField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { useFormat } from '../state/format';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

/** What prices include, as printed on bills. */
export function TaxSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const { percent } = useFormat();
  const { taxName, taxBasisPoints, taxIncluded, serviceBasisPoints, serviceIncluded } = settings;
  const values = { taxName, taxBasisPoints, taxIncluded, serviceBasisPoints, serviceIncluded };
  const { form, save } = useSettingsForm(taxRules, values);
  const text = (basisPoints: number | null, isIncluded: boolean) =>
    basisPoints === null ? t('none') : t(isIncluded ? 'included' : 'added', { rate: percent(basisPoints) });
  if (!settings.canEdit) {
    return (
      <Facts
        items={[
          { term: taxName ?? t('taxRate'), value: text(taxBasisPoints, taxIncluded) },
          { term: t('serviceRate'), value: text(serviceBasisPoints, serviceIncluded) },
        ]}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="taxName" label={t('taxName')} hint={t('taxNameHint')} autoComplete="off" optional />
        <PercentField name="taxBasisPoints" label={t('taxRate')} hint={t('taxRateHint')} optional />
      </div>
      <SwitchField name="taxIncluded" label={t('taxIncluded')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <PercentField name="serviceBasisPoints" label={t('serviceRate')} hint={t('serviceRateHint')} optional />
      </div>
      <SwitchField name="serviceIncluded" label={t('serviceIncluded')} />
    </Form>
  );
}
