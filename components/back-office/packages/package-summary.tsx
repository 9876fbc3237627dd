'use client';

import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import type { ManagedPackage } from '@/server/domain/stored-value';
import { Badge } from '../../ui/badge';
import { TranslationBadge, useLacksTranslation } from '../menu/missing-translations';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

export type { ManagedPackage };

const tones = { onOffer: 'good', scheduled: 'neutral', ended: 'caution', archived: 'neutral' } as const;

/** A package in one line: its bonus, stores, dates and expiry. */
export function PackageSummary({ shown }: { shown: ManagedPackage }) {
  const t = useTranslations('packages');
  const terms = useTerms(shown);
  const lacksTranslation = useLacksTranslation();
  return (
    <span className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <span className="min-w-0 grow basis-56">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-semibold wrap-anywhere">{shown.name}</span>
          {shown.status !== 'archived' && lacksTranslation(shown) ? <TranslationBadge /> : null}
        </span>
        <span className="mt-0.5 block text-sm text-muted">{terms.join(' · ')}</span>
      </span>
      <span className="flex items-center justify-between gap-x-5 max-sm:w-full">
        <Gives shown={shown} />
        <Badge tone={tones[shown.status]}>{t(shown.status)}</Badge>
      </span>
    </span>
  );
}

function Gives({ shown }: { shown: ManagedPackage }) {
  const t = useTranslations('packages');
  const { money, percent } = useFormat();
  if (shown.kind === 'fixed') {
    const receives = shown.amount + shown.bonusAmount;
    return (
      <Figures
        first={t('paysShort', { amount: money(shown.amount) })}
        second={t('receivesShort', { amount: money(receives) })}
      />
    );
  }
  const range = t('range', { from: money(shown.minAmount), to: money(shown.maxAmount) });
  return <Figures first={range} second={t('bonusShort', { percent: percent(shown.bonusBasisPoints) })} />;
}

const Figures = ({ first, second }: { first: string; second: string }) => (
  <span className="text-right tabular-nums max-sm:text-left">
    <span className="block text-sm text-muted">{first}</span>
    <span className="block font-semibold">{second}</span>
  </span>
);

function useTerms({ allStores, storeIds, validFrom, validUntil, bonusExpiresInDays }: ManagedPackage): string[] {
  const t = useTranslations('packages');
  const tCommon = useTranslations('common');
  const { calendarDate } = useFormat();
  const stores = useStoreNames(storeIds);
  const from = validFrom && calendarDate(validFrom);
  const until = validUntil && calendarDate(validUntil);
  return [
    allStores ? tCommon('allStores') : stores,
    from && until
      ? t('range', { from, to: until })
      : from
        ? t('fromDay', { from })
        : until
          ? t('untilDay', { until })
          : '',
    bonusExpiresInDays === null ? t('bonusKeeps') : t('bonusLasts', { days: bonusExpiresInDays }),
  ].filter(Boolean);
}

const mostNamed = 3;

/** The names of a few stores, or how many there are. */
function useStoreNames(storeIds: string[]): string {
  const t = useTranslations('packages');
  const format = useFormatter();
  const { data } = useQuery(useTRPC().stores.list.queryOptions());
  const names = data?.stores.flatMap(({ storeId, name }) => (storeIds.includes(storeId) ? [name] : [])) ?? [];
  if (names.length === 0 || names.length > mostNamed) return t('storeCount', { count: storeIds.length });
  return format.list(names, { type: 'unit' });
}
