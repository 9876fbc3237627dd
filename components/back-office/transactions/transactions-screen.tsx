'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ReceiptText, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { recordedType, transactionStatus } from '@/server/domain/engine/schemas';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { CustomerPicker } from '../lists/customer-picker';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { parseAsDay, useListState } from '../lists/list-state';
import { PeriodFilter } from '../lists/period-filter';
import { SearchBox } from '../lists/search-box';
import { StoreFilter } from '../lists/store-filter';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useTransactionColumns } from './transaction-columns';
import { type Transaction, useTransactionWords } from './transaction-words';
import { VoidDialog } from './void-dialog';

const fields = {
  search: parseAsString,
  type: parseAsStringLiteral(recordedType.options),
  status: parseAsStringLiteral(transactionStatus.options),
  storeId: parseAsString,
  customerId: parseAsString,
  from: parseAsDay,
  until: parseAsDay,
};

export function TransactionsScreen() {
  const t = useTranslations('transactions');
  const trpc = useTRPC();
  const words = useTransactionWords();
  const columns = useTransactionColumns();
  const isManager = useIsRole('owner', 'manager');
  const { filters, filterCount, page, setFilters, clearFilters, setPage } = useListState(fields);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
  const query = useQuery({
    ...trpc.transactions.list.queryOptions({ ...given, ...page }),
    placeholderData: keepPreviousData,
  });
  const [voiding, setVoiding] = useState<{ uids: string[]; clear: () => void } | null>(null);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={isManager ? <ExportLink list="transactions" filters={filters} /> : null}
      />
      <Filters filters={filters} count={filterCount} onChange={setFilters} rows={query.data?.items ?? []} />
      {query.data?.isSearchCut ? (
        <p role="status" className="mb-3 text-sm text-muted">
          {t('searchCut')}
        </p>
      ) : null}
      <DataList
        caption={t('title')}
        query={query}
        columns={columns}
        rowKey={({ uid }) => uid}
        rowName={words.name}
        rowHref={({ uid }) => `/transactions/${uid}`}
        empty={
          <EmptyState icon={ReceiptText} title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
        isFiltered={Object.keys(given).length > 0}
        onClearFilters={clearFilters}
        onPage={setPage}
        bulkActions={
          isManager
            ? (selected, clear) => (
                <Button
                  variant="danger"
                  size="small"
                  onClick={() => setVoiding({ uids: selected.map(({ uid }) => uid), clear })}
                >
                  {t('void')}
                </Button>
              )
            : undefined
        }
      />
      {voiding ? <VoidDialog uids={voiding.uids} onVoided={voiding.clear} onClose={() => setVoiding(null)} /> : null}
    </>
  );
}

type Values = { [Name in keyof typeof fields]: string | null };

interface FiltersProps {
  filters: Values;
  onChange: ReturnType<typeof useListState<typeof fields>>['setFilters'];
  count: number;
  /** The rows on the screen, which include the customer's name. */
  rows: Transaction[];
}

function Filters({ filters, count, onChange, rows }: FiltersProps) {
  const t = useTranslations('transactions');
  const tCommon = useTranslations('common');
  const words = useTransactionWords();
  const { customerId } = filters;
  const customer = rows.find((row) => row.customer?.id === customerId)?.customer;
  return (
    <FilterBar
      count={count}
      search={
        <SearchBox
          label={t('search')}
          value={filters.search ?? ''}
          onSearch={(text) => onChange({ search: text || null })}
        />
      }
    >
      <SelectBox
        aria-label={tCommon('type')}
        value={filters.type ?? ''}
        onChange={({ target }) => onChange({ type: recordedType.options.find((one) => one === target.value) ?? null })}
        options={[
          { value: '', label: t('anyType') },
          ...recordedType.options.map((value) => ({ value, label: words.type(value) })),
        ]}
      />
      <SelectBox
        aria-label={tCommon('status')}
        value={filters.status ?? ''}
        onChange={({ target }) =>
          onChange({ status: transactionStatus.options.find((one) => one === target.value) ?? null })
        }
        options={[
          { value: '', label: t('anyStatus') },
          ...transactionStatus.options.map((value) => ({ value, label: t(`statuses.${value}`) })),
        ]}
      />
      <StoreFilter storeId={filters.storeId} onChange={(storeId) => onChange({ storeId })} />
      <PeriodFilter from={filters.from} until={filters.until} onChange={onChange} />
      {customerId ? (
        <Button variant="secondary" size="small" onClick={() => onChange({ customerId: null })}>
          {customer ? t('ofCustomer', { name: customer.name }) : t('ofOneCustomer')}
          <X className="size-4" aria-hidden="true" />
        </Button>
      ) : (
        <CustomerPicker isFilter onPick={(picked) => onChange({ customerId: picked.customerId })} />
      )}
    </FilterBar>
  );
}
