'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useWatch } from 'react-hook-form';
import { CheckboxesField, SwitchField } from '../../form/fields';
import { Section } from '../../ui/section';
import { useTRPC } from '../trpc';

/** Which stores sell an item. */
export function AvailabilityField() {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.stores.list.queryOptions());
  const [allStores, storeIds]: [boolean, string[]] = useWatch({ name: ['allStores', 'storeIds'] });
  const stores = (data?.stores ?? []).filter(
    ({ closedAt, storeId }) => closedAt === null || storeIds.includes(storeId),
  );
  return (
    <Section title={t('soldAt')}>
      <div className="flex flex-col gap-4">
        <SwitchField name="allStores" label={t('soldEverywhere')} hint={t('soldEverywhereHint')} />
        {allStores ? null : (
          <CheckboxesField
            name="storeIds"
            label={t('stores')}
            options={stores.map(({ storeId, name }) => ({ value: storeId, label: name }))}
          />
        )}
      </div>
    </Section>
  );
}
