'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { ExportLink } from '../lists/data-list';
import { OneDay } from '../lists/day-range';
import { FilterBar } from '../lists/filter-bar';
import { parseAsDay, useListState } from '../lists/list-state';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';
import { useToday } from '../state/use-merchant-clock';
import { ClosedShifts } from './closed-shifts';
import { LineTable } from './line-table';
import { OpenShift } from './open-shift';

/** What staff took at the counter on a day, and what was counted at the end of each shift. */
export function CashUpScreen() {
  const t = useTranslations('cashUp');
  const isManager = useIsRole('owner', 'manager');
  const today = useToday();
  const { filters, setFilters } = useListState({ day: parseAsDay });
  const day = filters.day ?? today;
  const choice = useStoreChoice();
  const { stores, store, isAll } = choice;
  // Of a business with one store, adjustments are shown, too, which belong to no store.
  const storeId = isAll || stores.length < 2 ? undefined : store?.storeId;
  const query = useQuery({
    ...useTRPC().cashUps.day.queryOptions({ day, storeId }, { enabled: store !== null }),
    placeholderData: keepPreviousData,
  });
  if (store === null) return <StorePending {...choice} />;
  return (
    <>
      <PageHeader title={t('title')} description={isManager ? t('description') : t('ownDescription')} />
      <FilterBar>
        <StoreChoice {...choice} hasAll />
        <OneDay label={t('day')} day={day} onChange={(chosen) => setFilters({ day: chosen })} />
      </FilterBar>
      <div className="flex flex-col gap-6">
        {isManager && !isAll && day === today ? <OpenShift key={store.storeId} storeId={store.storeId} /> : null}
        <Loaded query={query}>
          {({ lines, closed }) => (
            <>
              {isManager ? <ClosedShifts shifts={closed} filters={{ day, storeId }} /> : null}
              <Section
                title={isManager ? t('ofDay') : t('ownDay')}
                description={isAll || stores.length < 2 ? t('ofDayHint') : t('ofStoreHint')}
                actions={<ExportLink list="cash-up" filters={{ day, storeId }} />}
              >
                {lines.length > 0 ? (
                  <LineTable caption={t('ofDay')} lines={lines} hasStores={isAll} />
                ) : (
                  <EmptyState icon={HandCoins} title={t('emptyTitle')}>
                    {t('emptyText')}
                  </EmptyState>
                )}
              </Section>
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}
