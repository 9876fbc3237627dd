'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTRPC } from '../back-office/trpc';
import { CheckboxesField, SwitchField } from './fields';

/** All stores, or some of them: the fields `allStores` and `storeIds`. A closed store shows only where it is chosen. */
export function StoresField({ hint }: { hint?: string }) {
  const t = useTranslations('common');
  const { data } = useQuery(useTRPC().stores.list.queryOptions());
  const { control } = useFormContext();
  const [allStores, storeIds] = useWatch({ control, name: ['allStores', 'storeIds'] }) as [boolean, string[]];
  const stores = (data?.stores ?? []).filter(
    ({ storeId, closedAt }) => closedAt === null || storeIds.includes(storeId),
  );
  return (
    <>
      <SwitchField name="allStores" label={t('allStores')} hint={hint} />
      {allStores ? null : (
        <CheckboxesField
          name="storeIds"
          label={t('stores')}
          options={stores.map(({ storeId, name }) => ({ value: storeId, label: name }))}
        />
      )}
    </>
  );
}
