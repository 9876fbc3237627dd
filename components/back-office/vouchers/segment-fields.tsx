'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { SelectField, SwitchField } from '../../form/fields';
import { DateField } from '../fields/date-field';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';

/** The fields of `segment`: which customers are eligible. */
export function SegmentFields() {
  const t = useTranslations('vouchers');
  const { data } = useQuery(useTRPC().stores.list.queryOptions());
  const stores = (data?.stores ?? []).map(({ storeId, name }) => ({ value: storeId, label: name }));
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">{t('segmentHint')}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="segment.lastVisitedStoreId"
          label={t('lastVisited')}
          options={[{ value: '', label: t('anyStore') }, ...stores]}
        />
        <MoneyField name="segment.minSpent" label={t('minSpent')} optional />
        <DateField name="segment.notSeenSince" label={t('notSeenSince')} optional />
        <DateField name="segment.joinedBefore" label={t('joinedBefore')} optional />
      </div>
      <SwitchField name="segment.holdsStoredValue" label={t('holdsStoredValue')} />
    </div>
  );
}
