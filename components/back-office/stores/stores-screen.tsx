'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus, Store as StoreIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { isStoreListed, storeState } from '@/server/domain/merchants/schemas';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { useListState } from '../lists/list-state';
import { SearchBox } from '../lists/search-box';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { StoreDialog } from './store-dialog';
import { type Store, StoreOpening } from './store-opening';

const states = storeState.options;

/** The matching stores, and the number of all stores. */
function useStores({ search, state }: { search: string; state: (typeof states)[number] | null }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.stores.list.queryOptions());
  const items = query.data?.stores.filter((store) => isStoreListed(store, { search, state: state ?? undefined }));
  return { ...query, data: items && { items, nextCursor: null, previousCursor: null } };
}

export function StoresScreen() {
  const t = useTranslations('stores');
  const { filters, setFilters, clearFilters, setPage } = useListState({
    search: parseAsString.withDefault(''),
    state: parseAsStringLiteral(states),
  });
  const query = useStores(filters);
  const [edited, setEdited] = useState<Store | 'new' | null>(null);
  const actions = (
    <>
      <ExportLink list="stores" filters={filters} />
      <Button onClick={() => setEdited('new')}>
        <Plus className="size-4" aria-hidden="true" />
        {t('add')}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={actions} />
      <FilterBar>
        <SearchBox
          label={t('search')}
          value={filters.search}
          onSearch={(search) => setFilters({ search: search || null })}
        />
        <SelectBox
          aria-label={t('state')}
          value={filters.state ?? ''}
          onChange={(event) => setFilters({ state: states.find((state) => state === event.target.value) ?? null })}
          options={[
            { value: '', label: t('anyState') },
            { value: 'open', label: t('openOnly') },
            { value: 'closed', label: t('closedOnly') },
          ]}
        />
      </FilterBar>
      <DataList
        caption={t('title')}
        query={query}
        columns={useColumns(setEdited)}
        rowKey={({ storeId }) => storeId}
        empty={
          <EmptyState icon={StoreIcon} title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
        isFiltered={filters.search !== '' || filters.state !== null}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
      {edited ? <StoreDialog store={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
    </>
  );
}

function useColumns(onEdit: (store: Store) => void): Column<Store>[] {
  const t = useTranslations('stores');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return [
    { id: 'name', header: tCommon('name'), cell: ({ name }) => <span className="font-medium">{name}</span> },
    {
      id: 'code',
      narrow: 'bare',
      header: t('code'),
      cell: ({ storeCode }) => <code className="font-mono text-sm">{storeCode}</code>,
    },
    {
      id: 'state',
      narrow: 'aside',
      header: t('state'),
      cell: ({ closedAt }) =>
        closedAt ? (
          <Badge>{t('closedSince', { date: format.date(closedAt) })}</Badge>
        ) : (
          <Badge tone="good">{t('open')}</Badge>
        ),
    },
    {
      id: 'actions',
      narrow: 'bare',
      header: t('actions'),
      align: 'end',
      cell: (store) => (
        <span className="inline-flex flex-wrap justify-end gap-2">
          <Button variant="secondary" size="small" onClick={() => onEdit(store)}>
            {tCommon('edit')}
            <span className="sr-only"> {store.name}</span>
          </Button>
          <StoreOpening store={store} />
        </span>
      ),
    },
  ];
}
