'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useFormContext, useWatch } from 'react-hook-form';
import { CheckboxesField, SwitchField } from '../../form/fields';
import { useTRPC } from '../office/trpc';

/** The fields `allStores` and `storeIds`. A closed store is shown only if it is selected. */
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
