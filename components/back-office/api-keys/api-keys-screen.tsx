'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { useListState } from '../lists/list-state';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { type ApiKey, KeyAccess, KeyEnds, KeyState } from './key-facts';
import { NewKeyDialog } from './new-key-dialog';

const states = ['active', 'ended'] as const;

export function ApiKeysScreen() {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const { filters, page, setFilters, clearFilters, setPage } = useListState({ state: parseAsStringLiteral(states) });
  const query = useQuery({
    ...trpc.apiKeys.list.queryOptions({ state: filters.state ?? undefined, ...page }),
    placeholderData: keepPreviousData,
  });
  const [isCreating, setIsCreating] = useState(false);
  const add = (
    <Button onClick={() => setIsCreating(true)}>
      <Plus className="size-4" aria-hidden="true" />
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={add} />
      <FilterBar>
        <SelectBox
          aria-label={t('state')}
          value={filters.state ?? ''}
          onChange={(event) => setFilters({ state: states.find((state) => state === event.target.value) ?? null })}
          options={[
            { value: '', label: t('anyState') },
            { value: 'active', label: t('activeOnly') },
            { value: 'ended', label: t('endedOnly') },
          ]}
        />
      </FilterBar>
      <DataList
        caption={t('title')}
        query={query}
        columns={useColumns()}
        rowKey={({ apiKeyId }) => apiKeyId}
        rowHref={({ apiKeyId }) => `/api-keys/${apiKeyId}`}
        empty={
          <EmptyState icon={KeyRound} title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
        isFiltered={filters.state !== null}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
      {isCreating ? <NewKeyDialog onClose={() => setIsCreating(false)} /> : null}
    </>
  );
}

function useColumns(): Column<ApiKey>[] {
  const t = useTranslations('apiKeys');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return [
    { id: 'name', header: tCommon('name'), cell: ({ name }) => name },
    { id: 'key', narrow: 'bare', header: t('key'), cell: (key) => <KeyEnds apiKey={key} /> },
    { id: 'store', narrow: 'bare', header: tCommon('store'), cell: ({ store }) => store?.name ?? tCommon('allStores') },
    { id: 'access', narrow: 'bare', header: t('access'), cell: (key) => <KeyAccess apiKey={key} /> },
    {
      id: 'lastUsed',
      header: t('lastUsed'),
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? (
          <span className="sm:whitespace-nowrap">{format.dateTime(lastUsedAt)}</span>
        ) : (
          <span className="text-muted">{t('neverUsed')}</span>
        ),
    },
    { id: 'state', narrow: 'aside', header: t('state'), cell: (key) => <KeyState apiKey={key} /> },
  ];
}
