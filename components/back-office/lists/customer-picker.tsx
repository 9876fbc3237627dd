'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useState } from 'react';
import { SearchPicker } from '@/components/ui/search-picker';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useTRPC } from '../shell/trpc';

export type FoundCustomer = inferRouterOutputs<StaffRouter>['customers']['list']['items'][number];

interface CustomerPickerProps {
  /** True in a filter bar. */
  isFilter?: boolean;
  /** True for customers who may be picked. Default: all. */
  isOffered?: (customer: FoundCustomer) => boolean;
  onPick: (customer: FoundCustomer) => void;
}

const maxResults = 8;
const offerAll = () => true;

export function CustomerPicker({ isFilter = false, isOffered = offerAll, onPick }: CustomerPickerProps) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const [search, setSearch] = useState('');
  const deferredSearch = useDeferredValue(search.trim());
  const { data, isFetching } = useQuery({
    ...useTRPC().customers.list.queryOptions({ search: deferredSearch, limit: maxResults }),
    enabled: deferredSearch !== '',
    placeholderData: keepPreviousData,
  });
  const found = deferredSearch === '' ? [] : (data?.items ?? []).filter(isOffered);
  return (
    <SearchPicker
      label={t('customer')}
      isLabelHidden={isFilter}
      placeholder={isFilter ? t('anyCustomer') : t('pickerSearch')}
      search={search}
      onSearch={setSearch}
      items={found}
      keyOf={({ customerId }) => customerId}
      nameOf={({ name }) => name}
      emptyText={deferredSearch === '' ? t('pickerHint') : isFetching ? tCommon('loading') : t('nobodyFound')}
      onPick={onPick}
    >
      {({ name, phone, email }) => (
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{name}</span>
          <span className="block text-muted wrap-anywhere">{[phone, email].filter(Boolean).join(' · ')}</span>
        </span>
      )}
    </SearchPicker>
  );
}
