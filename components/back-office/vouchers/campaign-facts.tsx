'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Facts } from '../../ui/facts';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import type { CampaignDetail } from './types';

/** A campaign's eligibility, stores and validity. */
export function CampaignFacts({ campaign }: { campaign: CampaignDetail }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const { number, calendarDate } = useFormat();
  const { data } = useQuery(useTRPC().stores.list.queryOptions());
  const { allStores, storeIds, validFrom, validUntil, validityDays, totalLimit, perCustomerLimit } = campaign;
  const names = data?.stores.filter(({ storeId }) => storeIds.includes(storeId)).map(({ name }) => name);
  const limit = (value: number | null) => (value === null ? tCommon('none') : number(value));
  return (
    <Facts
      items={[
        { term: t('trigger'), value: <Occasion campaign={campaign} /> },
        { term: tCommon('stores'), value: allStores ? tCommon('allStores') : names?.join(', ') },
        { term: t('firstDay'), value: validFrom && calendarDate(validFrom) },
        { term: t('lastDay'), value: validUntil && calendarDate(validUntil) },
        {
          term: t('validityDays'),
          value: validityDays === null ? t('asLongAsCampaign') : t('dayCount', { count: validityDays }),
        },
        { term: t('totalLimit'), value: limit(totalLimit) },
        { term: t('perCustomerLimit'), value: limit(perCustomerLimit) },
      ]}
    />
  );
}

function Occasion({ campaign: { trigger, daysBefore, seasonalOn } }: { campaign: CampaignDetail }) {
  const t = useTranslations('vouchers');
  const { calendarDate } = useFormat();
  if (trigger === 'seasonal' && seasonalOn !== null) return t('onDay', { day: calendarDate(seasonalOn) });
  return daysBefore > 0 ? t('daysBeforeText', { occasion: t(trigger), count: daysBefore }) : t(trigger);
}
