'use client';

import { useTranslations } from 'next-intl';
import { useFormContext, useWatch } from 'react-hook-form';
import type { CampaignInput } from '@/server/domain/vouchers';
import { trigger } from '@/server/domain/vouchers/campaign-schemas';
import { NumberField, RadioField } from '../../form/fields';
import { OnlyWhen } from '../../form/only-when';
import { DateField } from '../fields/date-field';
import { SegmentFields } from './segment-fields';
import { SegmentReach } from './segment-reach';

/** The trigger of a campaign, and the fields that it needs. */
export function TriggerFields() {
  const t = useTranslations('vouchers');
  const { control } = useFormContext<CampaignInput>();
  const [chosen, segment] = useWatch({ control, name: ['trigger', 'segment'] });
  return (
    <div className="flex flex-col gap-5">
      <RadioField
        name="trigger"
        label={t('trigger')}
        options={trigger.options.map((value) => ({ value, label: t(value), hint: t(`${value}Hint`) }))}
      />
      <OnlyWhen is={chosen === 'birthday' || chosen === 'anniversary'} names={['daysBefore']}>
        <NumberField name="daysBefore" label={t('daysBefore')} hint={t('daysBeforeHint')} end={t('days')} />
      </OnlyWhen>
      <OnlyWhen is={chosen === 'seasonal'} names={['seasonalOn', 'segment']}>
        <DateField name="seasonalOn" label={t('seasonalOn')} pastWarning={t('seasonalOnPast')} />
        <SegmentFields />
        <SegmentReach draft={segment} />
      </OnlyWhen>
    </div>
  );
}
