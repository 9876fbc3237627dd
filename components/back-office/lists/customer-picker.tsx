'use client';

import { useTranslations } from 'next-intl';
import { useDeferredValue, useState } from 'react';
import { SearchPicker } from '@/components/ui/search-picker';
import { type FoundCustomer, useCustomerSearch } from './use-customer-search';

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
  const isEmpty = deferredSearch === '';
  const { found, isFetching, isExact } = useCustomerSearch(deferredSearch, { limit: maxResults, enabled: !isEmpty });
  const hint = isExact ? t('exactHint') : t('pickerHint');
  const nobody = isExact ? t('noneExact') : t('nobodyFound');
  return (
    <SearchPicker
      label={t('customer')}
      isLabelHidden={isFilter}
      placeholder={isFilter ? t('anyCustomer') : isExact ? t('exactSearch') : t('pickerSearch')}
      search={search}
      onSearch={setSearch}
      items={found.filter(isOffered)}
      keyOf={({ customerId }) => customerId}
      nameOf={({ name }) => name}
      emptyText={isEmpty ? hint : isFetching ? tCommon('loading') : nobody}
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
