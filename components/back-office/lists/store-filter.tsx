'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { SelectBox } from '@/components/ui/select';
import { useTRPC } from '../office/trpc';

interface StoreFilterProps {
  /** Null: all stores. */
  storeId: string | null;
  onChange: (storeId: string | null) => void;
}

/** Filters a list by store. */
export function StoreFilter({ storeId, onChange }: StoreFilterProps) {
  const t = useTranslations('common');
  const { data } = useQuery(useTRPC().stores.list.queryOptions());
  return (
    <SelectBox
      aria-label={t('store')}
      value={storeId ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
      options={[
        { value: '', label: t('allStores') },
        ...(data?.stores ?? []).map(({ storeId: value, name }) => ({ value, label: name })),
      ]}
      className="w-auto max-w-64"
    />
  );
}
