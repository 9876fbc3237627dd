'use client';

import { useTranslations } from 'next-intl';
import { useFormContext, useWatch } from 'react-hook-form';
import { isForItems, isPercentage, voucherUnitNames } from '@/server/domain/kernel/voucher-units';
import type { CampaignInput } from '@/server/domain/vouchers';
import { NumberField, PercentField, RadioField, SwitchField } from '../../form/fields';
import { OnlyWhen } from '../../form/only-when';
import { MoneyField } from '../fields/money-field';
import { PluField } from './plu-field';

/** The fields of a voucher's discount, which depend on its type. */
export function DiscountFields() {
  const t = useTranslations('vouchers');
  const unit = useWatch({ control: useFormContext<CampaignInput>().control, name: 'unit' });
  const isOfItems = isForItems(unit);
  return (
    <>
      <RadioField
        name="unit"
        label={t('unit')}
        options={voucherUnitNames.map((value) => ({
          value,
          label: t(`units.${value}.name`),
          hint: t(`units.${value}.hint`),
        }))}
      />
      <OnlyWhen is={isOfItems} names={['plus']}>
        <PluField name="plus" label={t('items')} hint={t('itemsHint')} />
      </OnlyWhen>
      <div className="grid gap-5 sm:grid-cols-2">
        {isPercentage(unit) ? (
          <PercentField name="value" label={t(`units.${unit}.value`)} />
        ) : (
          <MoneyField name="value" label={t(`units.${unit}.value`)} />
        )}
        <OnlyWhen is={isOfItems} names={['maxUnits']}>
          <NumberField name="maxUnits" label={t('maxUnits')} hint={t('maxUnitsHint')} />
        </OnlyWhen>
        <MoneyField name="minSpend" label={t('minSpend')} hint={t('minSpendHint')} />
        <OnlyWhen is={isPercentage(unit)} names={['maxDiscount']}>
          <MoneyField name="maxDiscount" label={t('maxDiscount')} optional />
        </OnlyWhen>
      </div>
      <SwitchField name="stackable" label={t('stackable')} hint={t('stackableHint')} />
    </>
  );
}
