'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Receipt } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral } from 'nuqs';
import { billListInput } from '@/server/domain/bills/schemas';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { useListState } from '../lists/list-state';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { useBillColumns } from './bill-columns';

const states = billListInput.shape.state.unwrap();
const parsers = { state: parseAsStringLiteral(states.options).withDefault('open') };

/** Bills of one store, or of all, open and past. */
export function BillsScreen() {
  const t = useTranslations('bills');
  const choice = useStoreChoice();
  const { store, isAll } = choice;
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {store ? <BillList storeId={isAll ? undefined : store.storeId} choice={choice} /> : <StorePending {...choice} />}
    </>
  );
}

function BillList({ storeId, choice }: { storeId: string | undefined; choice: ReturnType<typeof useStoreChoice> }) {
  const t = useTranslations('bills');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const place = usePlace();
  const { filters, page, setFilters, setPage } = useListState(parsers);
  const { state } = filters;
  const isOpen = state === 'open';
  const query = useQuery({
    ...trpc.bills.list.queryOptions({ storeId, state, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <FilterBar>
        <StoreChoice
          {...choice}
          hasAll
          choose={(chosenId) => {
            // A page cursor of one store does not apply to another.
            setPage({ after: null, before: null });
            choice.choose(chosenId);
          }}
        />
        <SelectBox
          aria-label={tCommon('status')}
          value={state}
          onChange={({ target }) => setFilters({ state: states.parse(target.value) })}
          options={states.options.map((value) => ({ value, label: t(value) }))}
          className="w-auto"
        />
      </FilterBar>
      <DataList
        caption={t('title')}
        query={query}
        columns={useBillColumns(storeId === undefined ? choice.stores : null)}
        rowKey={({ billUid }) => billUid}
        rowName={place}
        rowHref={({ billUid }) => `/bills/${billUid}`}
        empty={
          <EmptyState icon={Receipt} title={t(isOpen ? 'emptyTitle' : 'emptyPastTitle')}>
            {t(isOpen ? 'emptyText' : 'emptyPastText')}
          </EmptyState>
        }
        isFiltered={false}
        onPage={setPage}
      />
    </>
  );
}
