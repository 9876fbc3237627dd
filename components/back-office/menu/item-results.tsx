'use client';

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Languages } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { DataList } from '../lists/data-list';
import type { useListState } from '../lists/list-state';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import type { ItemAnswer } from './item-row';
import { Photo } from './photo';

interface ItemResultsProps {
  list: Omit<ReturnType<typeof useListState>, 'filters'> & {
    filters: { search: string; status: 'listed' | 'untranslated' | 'archived' };
  };
}

/** Matching items of all categories, or archived items. */
export function ItemResults({ list }: ItemResultsProps) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const canEdit = useIsGeneralManager();
  const { filters, page } = list;
  const columns = useColumns();
  const { archive, restore } = useArchive();
  const query = useQuery({
    ...trpc.menu.searchItems.queryOptions({ ...filters, ...page }),
    placeholderData: keepPreviousData,
  });
  const isArchive = filters.status === 'archived';
  return (
    <DataList
      caption={t(filters.status)}
      query={query}
      columns={columns}
      rowKey={({ itemId }) => itemId}
      rowName={({ name }) => name}
      rowHref={canEdit ? ({ itemId }) => `/menu/items/${itemId}` : undefined}
      isFiltered={filters.search !== ''}
      onClearFilters={list.clearFilters}
      onPage={list.setPage}
      empty={
        <EmptyState
          icon={isArchive ? Archive : Languages}
          title={t(isArchive ? 'emptyArchive' : 'emptyUntranslated')}
        />
      }
      bulkActions={
        canEdit
          ? (selected, clear) => (
              <Button
                variant="secondary"
                size="small"
                onClick={() => {
                  (isArchive ? restore : archive)(selected.map(({ itemId }) => itemId));
                  clear();
                }}
              >
                {isArchive ? (
                  <ArchiveRestore className="size-4" aria-hidden="true" />
                ) : (
                  <Archive className="size-4" aria-hidden="true" />
                )}
                {t(isArchive ? 'restoreItems' : 'archiveItems')}
              </Button>
            )
          : undefined
      }
    />
  );
}

function useColumns(): Column<ItemAnswer>[] {
  const t = useTranslations('menu');
  const common = useTranslations('common');
  const { money } = useFormat();
  return [
    {
      id: 'name',
      header: t('item'),
      cell: ({ photoId, name }) => (
        <span className="flex items-center gap-3">
          <Photo photoId={photoId} size={160} className="size-10" />
          {name}
        </span>
      ),
    },
    { id: 'plu', narrow: 'bare', header: t('plu'), cell: ({ plu }) => plu },
    { id: 'category', narrow: 'bare', header: t('category'), cell: ({ categoryName }) => categoryName },
    {
      id: 'stores',
      header: t('soldAt'),
      cell: ({ allStores, storeIds }) =>
        allStores ? common('allStores') : t('storesOnly', { count: storeIds.length }),
      wideOnly: true,
    },
    { id: 'price', narrow: 'aside', header: t('price'), cell: ({ price }) => money(price), align: 'end' },
  ];
}

/** Archives and restores items, each with an undo. */
export function useArchive() {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const { toast, settle } = useChange('menu');
  const restoring = useMutation(
    trpc.menu.restoreItems.mutationOptions({
      ...settle,
      onSuccess: (_, { itemIds }) => toast.done(t('itemsRestored', { count: itemIds.length })),
    }),
  );
  const restore = (itemIds: string[]) => restoring.mutate({ itemIds });
  const archiving = useMutation(
    trpc.menu.archiveItems.mutationOptions({
      ...settle,
      onSuccess: (_, { itemIds }) => toast.done(t('itemsArchived', { count: itemIds.length }), () => restore(itemIds)),
    }),
  );
  const archive = (itemIds: string[]) => archiving.mutate({ itemIds });
  return { archive, restore, isPending: archiving.isPending || restoring.isPending };
}
