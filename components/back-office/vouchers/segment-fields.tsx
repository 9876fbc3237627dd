'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import type { Segment } from '@/server/domain/vouchers/campaign-schemas';
import { NumberField, SelectField, SwitchField, TextField } from '../../form/fields';
import { useField } from '../../form/use-field';
import { Select } from '../../ui/select';
import { DateField } from '../fields/date-field';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { PluField } from './plu-field';

/** The fields of `segment`: which customers are eligible. */
export function SegmentFields() {
  const t = useTranslations('vouchers');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.stores.list.queryOptions());
  const { data: categories = [] } = useQuery(trpc.menu.categories.queryOptions());
  const segment: Segment = useWatch({ name: 'segment' });
  const stores = (data?.stores ?? []).map(({ storeId, name }) => ({ value: storeId, label: name }));
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">{t('segmentHint')}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField name="segment.minVisits" label={t('minVisits')} hint={t('minVisitsHint')} optional />
        <MoneyField name="segment.minSpent" label={t('minSpent')} optional />
        <NumberField
          name="segment.notSeenDays"
          label={t('notSeenDays')}
          hint={t('notSeenDaysHint')}
          end={t('days')}
          optional
        />
        <DateField name="segment.joinedBefore" label={t('joinedBefore')} optional />
        <SelectField
          name="segment.lastVisitedStoreId"
          label={t('lastVisited')}
          options={[{ value: '', label: t('anyStore') }, ...stores]}
        />
        <SelectField
          name="segment.boughtCategoryId"
          label={t('boughtCategory')}
          options={[
            { value: '', label: t('anyCategory') },
            ...categories.map(({ categoryId, name }) => ({ value: categoryId, label: name })),
          ]}
        />
        <MonthField name="segment.birthMonth" />
        <TextField name="segment.tag" label={t('tag')} maxLength={40} autoComplete="off" optional />
        {/* A date says when a campaign was set up. New ones count days. */}
        {segment?.notSeenSince ? <DateField name="segment.notSeenSince" label={t('notSeenSince')} optional /> : null}
      </div>
      <PluField name="segment.boughtPlus" label={t('bought')} hint={t('boughtHint')} />
      <SwitchField name="segment.holdsStoredValue" label={t('holdsStoredValue')} />
    </div>
  );
}

const months = Array.from({ length: 12 }, (_, at) => at + 1);

function MonthField({ name }: { name: string }) {
  const t = useTranslations('vouchers');
  const { monthName } = useFormat();
  const { field, error } = useField(name);
  return (
    <Select
      {...field}
      value={field.value ?? ''}
      onChange={({ target }) => field.onChange(target.value === '' ? null : Number(target.value))}
      label={t('birthMonth')}
      error={error}
      options={[
        { value: '', label: t('anyMonth') },
        ...months.map((month) => ({ value: String(month), label: monthName(month) })),
      ]}
    />
  );
}
