'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import { pointsRules } from '@/server/domain/merchants/schemas';
import { CheckboxesField, NumberField, SwitchField } from '../../form/fields';
import { Form } from '../../form/form';
import { Facts } from '../../ui/facts';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { PluField } from '../vouchers/plu-field';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

export function PointsSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const { earnPoints, earnPerAmount, pointValue, minRedeemPoints, pointsExpiryMonths, pointsOnNet } = settings;
  const { noPointsPlus, noPointsCategoryIds } = settings;
  const { data: categories = [] } = useQuery(useTRPC().menu.categories.queryOptions());
  const { form, save } = useSettingsForm(pointsRules, {
    earnPoints,
    earnPerAmount,
    pointValue,
    minRedeemPoints,
    pointsExpiryMonths,
    noPointsPlus,
    noPointsCategoryIds,
    pointsOnNet,
  });
  if (!settings.canEdit) {
    const excluded = categories
      .filter(({ categoryId }) => noPointsCategoryIds.includes(categoryId))
      .map(({ name }) => name);
    const expiry = pointsExpiryMonths === null ? t('neverExpire') : t('months', { months: pointsExpiryMonths });
    return (
      <Facts
        items={[
          { term: t('earning'), value: t('earningValue', { points: earnPoints, amount: format.money(earnPerAmount) }) },
          { term: t('pointValue'), value: format.money(pointValue) },
          { term: t('minRedeemPoints'), value: format.number(minRedeemPoints) },
          { term: t('pointsExpiry'), value: expiry },
          { term: t('noPoints'), value: [...excluded, ...noPointsPlus].join(', ') || t('noPointsNone') },
          { term: t('pointsOnNet'), value: tCommon(pointsOnNet ? 'yes' : 'no') },
        ]}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField name="earnPoints" label={t('earnPoints')} hint={t('earnPointsHint')} />
        <MoneyField name="earnPerAmount" label={t('earnPerAmount')} hint={t('earnPerAmountHint')} />
        <MoneyField name="pointValue" label={t('pointValue')} hint={t('pointValueHint')} />
        <NumberField name="minRedeemPoints" label={t('minRedeemPoints')} />
        <NumberField name="pointsExpiryMonths" label={t('pointsExpiryMonths')} hint={t('pointsExpiryHint')} optional />
      </div>
      <CheckboxesField
        name="noPointsCategoryIds"
        label={t('noPointsCategories')}
        hint={t('noPointsHint')}
        options={categories.map(({ categoryId, name }) => ({ value: categoryId, label: name }))}
      />
      <PluField name="noPointsPlus" label={t('noPointsItems')} hint={t('noPointsItemsHint')} />
      <SwitchField name="pointsOnNet" label={t('pointsOnNet')} hint={t('pointsOnNetHint')} />
      <Example />
    </Form>
  );
}

/** Programmes give back a tenth or less. More than this is probably a mistake. */
const generousShare = 0.2;

/** An example bill: ten times the smallest amount that earns points. */
function Example() {
  const t = useTranslations('settings');
  const format = useFormat();
  const rules = useWatch();
  const { data } = pointsRules.safeParse(rules);
  if (!data) return null;
  const points = data.earnPoints * 10;
  const worth = points * data.pointValue;
  const bill = data.earnPerAmount * 10;
  const share = format.percent((worth * 10_000) / bill);
  return (
    <div role="status" className="flex flex-col gap-3 text-sm">
      <p className="rounded-xl bg-tint px-4 py-3">
        {t('pointsExample', { bill: format.money(bill), points, worth: format.money(worth), share })}
      </p>
      {worth > bill * generousShare ? (
        <p className="rounded-xl bg-caution-tint px-4 py-3 text-caution">{t('pointsGenerous', { share })}</p>
      ) : null}
    </div>
  );
}
