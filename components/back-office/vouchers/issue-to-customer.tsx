'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { CustomerPicker } from '../lists/customer-picker';
import type { FoundCustomer } from '../lists/use-customer-search';
import { type IssueProps, useIssue } from './use-issue';

export function IssueToCustomer(props: IssueProps) {
  const t = useTranslations('vouchers');
  const { issue, isPending } = useIssue(props);
  const [customer, setCustomer] = useState<FoundCustomer | null>(null);
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (customer && !isPending) issue({ kind: 'customers', customerIds: [customer.customerId] });
      }}
    >
      <CustomerPicker isOffered={({ isBlocked }) => !isBlocked} onPick={setCustomer} />
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
