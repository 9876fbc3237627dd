'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../ui/button';
import { SearchPicker } from '../../ui/search-picker';
import { useTRPC } from '../trpc';
import { type IssueProps, useIssue } from './use-issue';

interface Found {
  customerId: string;
  name: string;
  phone: string | null;
  email: string | null;
}

export function IssueToCustomer(props: IssueProps) {
  const t = useTranslations('vouchers');
  const { issue, isPending } = useIssue(props);
  const [customer, setCustomer] = useState<Found | null>(null);
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (customer && !isPending) issue({ kind: 'customers', customerIds: [customer.customerId] });
      }}
    >
      <CustomerPicker onPick={setCustomer} />
      {customer ? (
        <p role="status" className="rounded-xl bg-tint px-4 py-3 text-sm">
          <span className="block font-medium wrap-anywhere">{customer.name}</span>
          <span className="text-muted wrap-anywhere">
            {[customer.phone, customer.email].filter(Boolean).join(' · ')}
          </span>
        </p>
      ) : null}
      <div>
        <Button type="submit" busy={!customer || isPending}>
          {t('issueOne')}
        </Button>
      </div>
    </form>
  );
}

function CustomerPicker({ onPick }: { onPick: (customer: Found) => void }) {
  const t = useTranslations('vouchers');
  const [search, setSearch] = useState('');
  const asked = useDeferredValue(search.trim());
  const { data } = useQuery({
    ...useTRPC().customers.list.queryOptions({ search: asked, limit: 8 }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found: Found[] = asked === '' ? [] : (data?.items.filter(({ isBlocked }) => !isBlocked) ?? []);
  return (
    <SearchPicker
      label={t('customer')}
      placeholder={t('customerSearch')}
      search={search}
      onSearch={setSearch}
      items={found}
      keyOf={({ customerId }) => customerId}
      nameOf={({ name }) => name}
      emptyText={asked === '' ? t('customerHint') : t('nobodyFound')}
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
