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
import { Skeleton } from '../../ui/skeleton';
import { LoadError } from '../load-error';
import { SearchBox } from '../search-box';
import { useTRPC } from '../trpc';
import { MarkDialog } from './mark-dialog';
import { SoldOutList } from './sold-out-list';
import { useStockOuts } from './use-stock-outs';

const filters = {
  store: parseAsString.withDefault(''),
  category: parseAsString.withDefault(''),
  search: parseAsString.withDefault(''),
};

/** What is sold out now, as tills and staff change it. */
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
          <Button onClick={() => setMarking(true)}>
            <PackageX className="size-4" aria-hidden="true" />
            {t('mark')}
          </Button>
        }
      />
      <div className="mb-5 flex flex-wrap gap-3">
        <SearchBox
          label={t('search')}
          value={search}
          onSearch={(text) => void setFilters({ search: text === '' ? null : text })}
        />
        <StoreFilter value={store} onChange={(value) => void setFilters({ store: value || null })} />
        <CategoryFilter value={category} onChange={(value) => void setFilters({ category: value || null })} />
      </div>
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

interface FilterProps {
  value: string;
  onChange: (value: string) => void;
}

function StoreFilter({ value, onChange }: FilterProps) {
  const t = useTranslations('common');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.stores.list.queryOptions());
  const stores = data?.stores ?? [];
  return (
    <SelectBox
      aria-label={t('store')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t('allStores') },
        ...stores.map(({ storeId, name }) => ({ value: storeId, label: name })),
      ]}
      className="w-auto max-w-64"
    />
  );
}

function CategoryFilter({ value, onChange }: FilterProps) {
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

interface SoldOutProps {
  filter: { storeId: string | undefined; categoryId: string | undefined; search: string };
  onClearFilters: () => void;
  onMark: ReturnType<typeof useStockOuts>['mark'];
  onRestore: ReturnType<typeof useStockOuts>['restore'];
}

function SoldOut({ filter, onClearFilters, onMark, onRestore }: SoldOutProps) {
  const t = useTranslations();
  const trpc = useTRPC();
  const options = trpc.stockOuts.list.queryOptions(filter);
  const { data, error, refetch } = useQuery({ ...options, placeholderData: keepPreviousData });
  if (!data) {
    if (error) return <LoadError error={error} onRetry={refetch} />;
    return <Skeleton label={t('common.loading')} className="h-96" />;
  }
  const { items, isMore, tomorrow } = data;
  if (items.length > 0) {
    return <SoldOutList items={items} isMore={isMore} tomorrow={tomorrow} onMark={onMark} onRestore={onRestore} />;
  }
  const isFiltered = Boolean(filter.storeId || filter.categoryId || filter.search);
  return (
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
  );
}
