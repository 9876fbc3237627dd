'use client';

import { useTranslations } from 'next-intl';
import { tillRules } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { useFormat } from '../state/format';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

export function TillsSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const format = useFormat();
  const { backdatingDays } = settings;
  const { form, save } = useSettingsForm(tillRules, { backdatingDays });
  if (!settings.canEdit) {
    return <Facts items={[{ term: t('backdatingDays'), value: format.number(backdatingDays) }]} />;
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <div className="max-w-sm">
        <NumberField name="backdatingDays" label={t('backdatingDays')} hint={t('backdatingDaysHint')} />
      </div>
    </Form>
  );
}
