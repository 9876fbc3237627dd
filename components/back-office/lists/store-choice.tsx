'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { SelectBox } from '@/components/ui/select';
import { useTRPC } from '../shell/trpc';
import { Waiting } from '../state/loaded';

/** The screen's store: the one in the URL, else the first. Null until the stores are loaded. */
export function useStoreChoice() {
  const [requested, setRequested] = useQueryState('store', parseAsString);
  const { data, error, refetch } = useQuery(useTRPC().stores.list.queryOptions());
  const stores = data?.stores ?? [];
  const store = stores.find(({ storeId }) => storeId === requested) ?? stores[0] ?? null;
  return { stores, store, error, refetch, choose: (storeId: string) => void setRequested(storeId) };
}

/** Renders nothing where there is only one store. */
export function StoreChoice({ stores, store, choose }: ReturnType<typeof useStoreChoice>) {
  const t = useTranslations('common');
  if (stores.length < 2) return null;
  return (
    <SelectBox
      aria-label={t('store')}
      value={store?.storeId ?? ''}
      onChange={({ target }) => choose(target.value)}
      options={stores.map(({ storeId, name }) => ({ value: storeId, label: name }))}
      className="w-auto max-w-64"
    />
  );
}

/** Shown while the stores load, or where loading failed. */
export function StorePending({ error, refetch }: Pick<ReturnType<typeof useStoreChoice>, 'error' | 'refetch'>) {
  return <Waiting error={error} refetch={refetch} />;
}
