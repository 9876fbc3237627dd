'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { SelectBox } from '@/components/ui/select';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useRememberedStore } from './use-remembered-store';

/** The value in the URL for all stores, on screens that can show them together. */
export const allStores = 'all';

/**
 * The screen's store: the one in the URL, else the one last chosen on this device, else the first with a list of
 * tables, else the first. The default is kept while the screen is open, so that tables added elsewhere do not change
 * the store during work. Null until the stores are loaded.
 */
export function useStoreChoice() {
  const [requested, setRequested] = useQueryState('store', parseAsString);
  const { storeId: remembered, remember } = useRememberedStore();
  const { data, error, refetch } = useQuery(useTRPC().stores.list.queryOptions());
  const stores = data?.stores ?? [];
  const find = (id: string | null) => stores.find(({ storeId }) => storeId === id);
  const [firstId, setFirstId] = useState<string | null>(null);
  const first = find(firstId) ?? stores.find(({ hasTables }) => hasTables) ?? stores[0] ?? null;
  if (first && first.storeId !== firstId) setFirstId(first.storeId);
  const store = find(requested) ?? find(remembered) ?? first;
  const isAll = requested === allStores && stores.length > 1;
  const choose = (storeId: string) => {
    if (storeId !== allStores) remember(storeId);
    void setRequested(storeId);
  };
  return { stores, store, isAll, error, refetch, choose };
}

interface StoreChoiceProps extends ReturnType<typeof useStoreChoice> {
  /** Offers all stores together, too. */
  hasAll?: boolean;
}

/** Renders nothing if there is only one store. */
export function StoreChoice({ stores, store, isAll, choose, hasAll = false }: StoreChoiceProps) {
  const t = useTranslations('common');
  if (stores.length < 2) return null;
  const options = stores.map(({ storeId, name }) => ({ value: storeId, label: name }));
  return (
    <SelectBox
      aria-label={t('store')}
      value={hasAll && isAll ? allStores : (store?.storeId ?? '')}
      onChange={({ target }) => choose(target.value)}
      options={hasAll ? [{ value: allStores, label: t('allStores') }, ...options] : options}
      className="w-auto max-w-64"
    />
  );
}

/** Shown while the stores load, or if loading failed. */
export function StorePending({ error, refetch }: Pick<ReturnType<typeof useStoreChoice>, 'error' | 'refetch'>) {
  return <Waiting error={error} refetch={refetch} />;
}
