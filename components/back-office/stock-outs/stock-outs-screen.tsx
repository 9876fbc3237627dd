'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PackageCheck, PackageX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { useKeptFocus } from '../../ui/use-kept-focus';
import { ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { SearchBox } from '../lists/search-box';
import { StoreFilter } from '../lists/store-filter';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useMerchantClock } from '../state/use-merchant-clock';
import { MarkDialog } from './mark-dialog';
import { SoldOutList } from './sold-out-list';
import { useStockOuts } from './use-stock-outs';

const filters = {
  store: parseAsString.withDefault(''),
  category: parseAsString.withDefault(''),
  search: parseAsString.withDefault(''),
};

/** The items sold out now, updated live. */
export function StockOutsScreen() {
  const t = useTranslations('stockOuts');
  const [{ store, category, search }, setFilters] = useQueryStates(filters);
  const [isMarking, setMarking] = useState(false);
  const { mark, restore } = useStockOuts();
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <ExportLink list="stock-outs" filters={{ storeId: store, categoryId: category, search }} />
            <Button onClick={() => setMarking(true)}>
              <PackageX className="size-4" aria-hidden="true" />
              {t('mark')}
            </Button>
          </>
        }
      />
      <FilterBar>
        <SearchBox
          label={t('search')}
          value={search}
          onSearch={(text) => void setFilters({ search: text === '' ? null : text })}
        />
        <StoreFilter storeId={store || null} onChange={(storeId) => void setFilters({ store: storeId })} />
        <CategoryFilter value={category} onChange={(value) => void setFilters({ category: value || null })} />
      </FilterBar>
      <SoldOut
        filter={{ storeId: store || undefined, categoryId: category || undefined, search }}
        onClearFilters={() => void setFilters(null)}
        onMark={mark}
        onRestore={restore}
      />
      {isMarking ? <MarkDialog storeId={store || null} onMark={mark} onClose={() => setMarking(false)} /> : null}
    </>
  );
}

function CategoryFilter({ value, onChange }: { value: string; onChange: (categoryId: string) => void }) {
  const t = useTranslations('stockOuts');
  const trpc = useTRPC();
  const { data: categories = [] } = useQuery(trpc.menu.categories.queryOptions());
  return (
    <SelectBox
      aria-label={t('category')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t('allCategories') },
        ...categories.map(({ categoryId, name }) => ({ value: categoryId, label: name })),
      ]}
      className="w-auto max-w-64"
    />
  );
}

const minWaitMs = 5_000;
/** The longest wait of a browser's timer. */
const maxWaitMs = 2 ** 31 - 1;

/**
 * Returns the milliseconds until an item becomes available automatically or "tomorrow" arrives, because neither sends a
 * live update.
 */
function msUntilNextReturn(
  { items, tomorrow }: { items: { until: string | null; tomorrow: string }[]; tomorrow: string },
  now: Date,
): number {
  const instants = [tomorrow, ...items.flatMap((item) => [item.tomorrow, item.until ?? []].flat())].map(Date.parse);
  return Math.min(Math.max(Math.min(...instants) - now.getTime(), minWaitMs), maxWaitMs);
}

interface SoldOutProps {
  filter: { storeId: string | undefined; categoryId: string | undefined; search: string };
  onClearFilters: () => void;
  onMark: ReturnType<typeof useStockOuts>['mark'];
  onRestore: ReturnType<typeof useStockOuts>['restore'];
}

function SoldOut({ filter, onClearFilters, onMark, onRestore }: SoldOutProps) {
  const t = useTranslations();
  const trpc = useTRPC();
  const clock = useMerchantClock();
  const kept = useKeptFocus<HTMLElement>('li');
  const { data, error, refetch } = useQuery({
    ...trpc.stockOuts.list.queryOptions(filter),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data ? msUntilNextReturn(state.data, clock()) : false),
  });
  if (!data) return <Waiting error={error} refetch={refetch} />;
  const { items, isMore } = data;
  const isFiltered = Boolean(filter.storeId || filter.categoryId || filter.search);
  return (
    <section aria-label={t('stockOuts.title')} tabIndex={-1} {...kept}>
      {items.length > 0 ? (
        <SoldOutList items={items} isMore={isMore} onMark={onMark} onRestore={onRestore} />
      ) : (
        <EmptyState
          icon={PackageCheck}
          title={t(isFiltered ? 'stockOuts.noneFound' : 'stockOuts.emptyTitle')}
          action={
            isFiltered ? (
              <Button variant="secondary" size="small" onClick={onClearFilters}>
                {t('common.clearFilters')}
              </Button>
            ) : null
          }
        >
          {t('stockOuts.emptyText')}
        </EmptyState>
      )}
    </section>
  );
}
