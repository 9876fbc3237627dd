'use client';

import { useTranslations } from 'next-intl';
import { orderRules } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { useFormat } from '../state/format';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

export function OrdersSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const format = useFormat();
  const { lateOrderMinutes } = settings;
  const { form, save } = useSettingsForm(orderRules, { lateOrderMinutes });
  if (!settings.canEdit) {
    return <Facts items={[{ term: t('lateOrderMinutes'), value: format.number(lateOrderMinutes) }]} />;
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <div className="max-w-sm">
        <NumberField name="lateOrderMinutes" label={t('lateOrderMinutes')} hint={t('lateOrderMinutesHint')} />
      </div>
    </Form>
  );
}
